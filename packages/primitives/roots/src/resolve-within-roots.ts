import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RxmcpError } from '@rxmcp/core';
import { hidesControls, type Root } from './root.js';

/**
 * Resolves a path and ensures that it lies within the roots. Resolves `..` and symbolic links and returns the real path; for a
 * file that does not exist yet, the real path of its folder with the name. A relative path starts at the first `file:` root.
 *
 * Rejects with INVALID_PARAMS for a path with control characters, one outside of all `file:` roots that exist, one whose folder does not exist, and a
 * link to a missing target. Use the returned path, not the one you passed. Between this check and the use of the path, a process
 * with write access to the root can still replace a folder by a link.
 */
export async function resolveWithinRoots(path: string, roots: readonly Root[]): Promise<string> {
  if (typeof path !== 'string' || path === '' || /\p{Cc}/u.test(path)) {
    throw new RxmcpError('INVALID_PARAMS', `${JSON.stringify(path)} is not a path`);
  }
  const folders = roots.map(folderOf).filter((folder) => folder !== undefined);
  const first = folders[0];
  if (first === undefined) throw outside(path, 'there is no file: root');
  const real = await realOf(resolve(first, path), path);
  for (const folder of folders) {
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && isInside(root, real)) return real;
  }
  throw outside(path, 'it is outside of all roots');
}

function folderOf({ uri }: Root): string | undefined {
  if (hidesControls(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // Another scheme, or a host that this system cannot reach: such a root is not a folder.
    return undefined;
  }
}

async function realOf(absolute: string, asked: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw outside(asked, 'it cannot be resolved', cause);
  }
  // Creating a file at a link with a missing target would create that target.
  if (await exists(absolute)) throw outside(asked, 'it is a link with a missing target');
  try {
    return resolve(await realpath(dirname(absolute)), basename(absolute));
  } catch (cause) {
    throw outside(asked, 'its folder does not exist', cause);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return false;
  // On Windows a colon names an alternate data stream of a file, not a file.
  return sep === '/' || !way.includes(':');
}

function outside(path: string, why: string, cause?: unknown): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `${JSON.stringify(path)} is rejected: ${why}`, { cause });
}
