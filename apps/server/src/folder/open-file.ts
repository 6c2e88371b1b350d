import { resolveWithinRoots } from 'rxmcp/roots/node';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { notShown, rejected } from '../errors.js';
import { fromTop, fullPath } from './folder-uri.js';
import type { Folder } from './folder.js';
import type { FileEntry } from './scan.js';

/** Finds the file that a name means: a path from the top, a full path or a `file:` uri. Rejects where it may not be seen. */
export async function locate(folder: Folder, name: string): Promise<FileEntry> {
  const path = fromTop(folder.root, await inside(folder, name));
  const entry = await folder.find(path);
  if (entry === undefined) throw notShown(name);
  return entry;
}

/** The real path of what a name means, a directory perhaps. Rejects with INVALID_PARAMS where it leads out of the folder. */
async function inside(folder: Folder, name: string): Promise<string> {
  let full: string | undefined;
  try {
    full = fullPath(folder.root, name);
    return await resolveWithinRoots(full, [{ uri: folder.uri }]);
  } catch (cause) {
    const absent = full !== undefined && !fromTop(folder.root, full).startsWith('..') && isAbsence(cause);
    throw absent ? notShown(name) : rejected(name, cause);
  }
}

/**
 * Opens a file for reading. A link may have replaced a part of its path since it was found, so the opened file is
 * compared with the expected one; a file that is being replaced gets another try.
 */
export async function openFile(folder: Folder, { path, real }: FileEntry): Promise<FileHandle> {
  const full = join(folder.root, real);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const handle = await opened(full, path);
    if (await isMeant(handle, full)) return handle;
    await handle.close();
  }
  throw rejected(path);
}

const maxAttempts = 3;

async function opened(full: string, path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK a pipe that took the file's place would hold the reader for ever.
    return await open(full, constants.O_RDONLY | noFollow | nonBlock);
  } catch (cause) {
    if (isShortOfFiles(cause)) throw cause;
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? notShown(path) : rejected(path, cause);
  }
}

async function isMeant(handle: FileHandle, full: string): Promise<boolean> {
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return false;
    const opened = await pathOf(handle);
    if (opened !== undefined) return opened === full;
    // Elsewhere it takes several looks, and a swap between two of them could be missed.
    const before = await realpath(full);
    const named = await stat(full);
    const after = await realpath(full);
    return before === full && after === full && facts.ino === named.ino && facts.dev === named.dev;
  } catch {
    return false;
  }
}

/** The path of what is open, as the kernel of Linux knows it: one look, which no swap can deceive. */
async function pathOf({ fd }: FileHandle): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  return readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
}

function isAbsence(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

// Not on Windows, where links need rights of their own.
const noFollow: number = constants.O_NOFOLLOW ?? 0;
const nonBlock: number = constants.O_NONBLOCK ?? 0;

/** Whether the process or the system has no room for one more open file: nothing is wrong with what was to be opened. */
export function isShortOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
