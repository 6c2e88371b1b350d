import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Offer } from 'rxmcp';
import { offerRoots, type Root } from 'rxmcp/roots';
import { reachableRoots } from 'rxmcp/roots/node';
import { UsageError } from '../usage.js';

/** Offers folders as roots; a removed folder is withdrawn until it exists again. Throws a UsageError for anything but a folder. */
export function folderRoots(folders: readonly string[]): Offer {
  return offerRoots(
    reachableRoots([...new Map(folders.map(rootOf).map((root) => [root.uri, root])).values()]),
  );
}

function rootOf(folder: string): Root {
  let path: string;
  try {
    path = realpathSync(folder);
    if (/\p{Cc}/u.test(path)) throw new UsageError(`--root ${folder}: its path has control characters`);
    if (!statSync(path).isDirectory()) throw new UsageError(`--root ${folder}: not a folder`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--root ${folder}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
