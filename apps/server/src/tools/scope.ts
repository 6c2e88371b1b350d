import { dirname, join } from 'node:path';
import { resolveWithinRoots } from 'rxmcp/roots/node';
import { RxmcpError, RpcError, type Context } from 'rxmcp';
import { listRoots, type Root } from 'rxmcp/roots';
import { ToolError } from 'rxmcp/tools';
import { locate } from '../folder/open-file.js';
import type { Folder } from '../folder/folder.js';
import type { FileEntry } from '../folder/scan.js';

/** Where a tool may look: the served folder, narrowed to the client's roots. */
export interface Scope {
  /** A note for the result that explains why a file may not be found. */
  readonly said: string;
  /** Finds the file of a name. Rejects with a ToolError if it is not a file, or out of bounds. */
  file(name: string): Promise<FileEntry>;
  /** Those of the files that lie within, those of the client's first root first. */
  only(files: Iterable<FileEntry>): Promise<readonly FileEntry[]>;
}

/**
 * Asks the client for its roots and makes the scope of one call: the folders among them, or the whole served folder if there are
 * none. Many clients declare roots and have none, or answer with an error.
 */
export async function scopeOf(ctx: Context, folder: Folder): Promise<Scope> {
  const roots = await rootsOf(ctx);
  if (typeof roots === 'string') return whole(folder, roots);
  if (roots.length === 0) return whole(folder, 'the client has no roots');
  const folders = roots.filter(({ uri }) => /^file:/i.test(uri));
  if (folders.length === 0) return whole(folder, 'no root of the client is a folder');
  const names = folders.map(({ uri, name }) => name ?? uri).join(', ');
  return {
    said: `the client's roots: ${names}`,
    async file(name) {
      const entry = await found(folder, name);
      if ((await rootAround(folder, entry, folders, new Map())) === undefined) {
        throw new ToolError(`${JSON.stringify(name)} is outside of the client's roots (${names})`);
      }
      return entry;
    },
    async only(files) {
      const known: Known = new Map();
      const perRoot = folders.map((): FileEntry[] => []);
      for (const entry of files) {
        const root = await rootAround(folder, entry, folders, known);
        if (root !== undefined) perRoot[root]?.push(entry);
      }
      return perRoot.flat();
    },
  };
}

/** Returns the roots of the client, or why there are none. */
async function rootsOf(ctx: Context): Promise<readonly Root[] | string> {
  try {
    return await listRoots(ctx);
  } catch (error) {
    if (RxmcpError.is(error, 'ASK_UNAVAILABLE')) return 'the client offers no roots';
    if (RxmcpError.is(error, 'ASK_REJECTED')) return 'the client did not share its roots';
    throw error;
  }
}

function whole(folder: Folder, why: string): Scope {
  return {
    said: `the whole served folder, since ${why}`,
    file: (name) => found(folder, name),
    only: async (files) => [...files],
  };
}

async function found(folder: Folder, name: string): Promise<FileEntry> {
  try {
    return await locate(folder, name);
  } catch (error) {
    throw forModel(error);
  }
}

/** An error that a model can make something of, as such. */
export function forModel(error: unknown): unknown {
  const readable =
    RxmcpError.is(error, 'INVALID_PARAMS') ||
    RxmcpError.is(error, 'RESOURCE_NOT_FOUND') ||
    RpcError.is(error);
  return readable ? new ToolError((error as Error).message, { cause: error }) : error;
}

/** What is known of directories already. */
type Known = Map<string, Promise<number | undefined>>;

// Files never lie behind a link, so one look at their directory does for all of it.
async function rootAround(
  folder: Folder,
  { real }: FileEntry,
  roots: readonly Root[],
  known: Known,
): Promise<number | undefined> {
  const directory = dirname(join(folder.root, real));
  let index = known.get(directory);
  if (index === undefined) {
    index = firstAround(directory, roots);
    known.set(directory, index);
  }
  return index;
}

/** The place of the first root that a directory lies in. */
async function firstAround(directory: string, roots: readonly Root[]): Promise<number | undefined> {
  for (const [index, root] of roots.entries()) {
    const isInside = await resolveWithinRoots(directory, [root]).then(
      () => true,
      () => false,
    );
    if (isInside) return index;
  }
  return undefined;
}
