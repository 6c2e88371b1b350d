import type { ContentsValue } from 'rxmcp/resources';
import { tooLarge } from '../errors.js';
import type { Folder } from '../folder/folder.js';
import { readFile } from '../folder/read-file.js';
import type { FileEntry } from '../folder/scan.js';
import { someAtOnce } from '../folder/some-at-once.js';

/** Most bytes of all files of one directory. */
export const maxDirectoryBytes = 1_048_576;

/**
 * The files that lie directly in a directory, with their contents; undefined where there is no such directory with shown
 * files in or below it. Rejects with TOO_LARGE, whose data names the directories below, which may be small enough.
 */
export async function readDirectory(
  folder: Folder,
  path: string,
): Promise<readonly ContentsValue[] | undefined> {
  const { files } = await folder.latest();
  const prefix = path === '' ? '' : `${path}/`;
  const below = [...files.values()].filter((entry) => entry.path.startsWith(prefix));
  if (below.length === 0 && path !== '') return undefined;
  const direct = below.filter((entry) => !entry.path.includes('/', prefix.length));
  const bytes = direct.reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxDirectoryBytes) {
    const names = new Set(below.flatMap((entry) => directoryOf(entry, prefix) ?? []));
    const directories = [...names]
      .slice(0, 100)
      .map((name) => `${folder.uri}${name.split('/').map(encodeURIComponent).join('/')}`);
    const message = `the files directly in "${path}" have ${bytes} bytes, more than ${maxDirectoryBytes}`;
    const instead =
      directories.length === 0
        ? 'read them one by one'
        : `read them one by one, or ${directories.join(', ')}`;
    throw tooLarge(`${message}: ${instead}`, { bytes, maxBytes: maxDirectoryBytes, directories });
  }
  const contents: ContentsValue[] = [];
  for await (const one of someAtOnce(direct, atOnce, (entry) => contentsOf(folder, entry)))
    contents.push(one);
  return contents;
}

/** So many files are open at a time, whatever the directory: all clients share what the process may open. */
const atOnce = 8;

async function contentsOf(folder: Folder, entry: FileEntry): Promise<ContentsValue> {
  const { uri, mimeType } = entry;
  return {
    uri,
    ...(await readFile(folder, entry, maxDirectoryBytes)),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function directoryOf({ path }: FileEntry, prefix: string): string | undefined {
  const slash = path.indexOf('/', prefix.length);
  return slash === -1 ? undefined : path.slice(0, slash);
}
