import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is in a folder, as paths with slashes from its top. */
export interface Walked {
  readonly files: readonly string[];
  /** The top is the empty path. */
  readonly directories: readonly string[];
  /** Whether the walk was given up because there is too much. */
  readonly cut: boolean;
}

/** Walks a folder, not through symbolic links, which come among the files. Directories that cannot be read are left out. */
export async function walk(
  root: string,
  skips: (path: string, name: string) => boolean,
  maxEntries: number,
): Promise<Walked> {
  const files: string[] = [];
  const directories: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let at = waiting.shift(); at !== undefined && seen <= maxEntries; at = waiting.shift()) {
    const entries = await entriesOf(join(root, at));
    if (entries === undefined) continue;
    directories.push(at);
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      seen += 1;
      if (skips(path, entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
    }
  }
  return { files, directories, cut: seen > maxEntries };
}

async function entriesOf(path: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
