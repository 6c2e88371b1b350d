import { type Observable, map } from 'rxjs';
import { RxmcpError } from 'rxmcp';
import type { ContentsValue, ListedResource, Resource, ResourceValue, Template } from 'rxmcp/resources';
import { resource, template } from 'rxmcp/resources';
import { tooLarge } from '../errors.js';
import type { Folder } from '../folder/folder.js';
import { directoryType } from '../folder/media-type.js';
import { locate } from '../folder/open-file.js';
import { readFile } from '../folder/read-file.js';
import type { FileEntry, Snapshot } from '../folder/scan.js';
import { someAtOnce } from '../folder/map-concurrent.js';

/** The files of a folder: one resource each, the folder itself, and a template that reads files and directories. @stream state */
export function fileResources(folder: Folder): Observable<readonly (Resource | Template)[]> {
  const read = async ({ path = '' }: { readonly path?: string }): Promise<ResourceValue | null> => {
    try {
      return await valueOf(folder, path);
    } catch (error) {
      if (RxmcpError.is(error, 'RESOURCE_NOT_FOUND')) return null;
      throw error;
    }
  };
  const readTop = (): Promise<ResourceValue | null> => read({});
  const changes = ({ path = '' }: { readonly path?: string }): Observable<void> =>
    folder.changes(path.replace(/\/$/, ''));

  return folder.files$.pipe(
    map((snapshot) => [
      resource(
        folder.uri,
        {
          name: 'files',
          title: 'The served folder',
          description: `A read gives the files that lie directly in it. ${shownText(snapshot, folder.maxFiles)}`,
          mimeType: directoryType,
          meta: { 'rxmcp.example/files': snapshot.files.size, 'rxmcp.example/leftOut': snapshot.left },
          shared: true,
          changes: folder.changes(''),
        },
        readTop,
      ),
      template(
        `${folder.uri}{+path}`,
        {
          name: 'file',
          title: 'A file or directory of the served folder',
          description:
            'A file gives text or, where it is binary, a blob; a directory gives the files directly in it.',
          shared: true,
          changes,
          list: [...snapshot.files.values()].map(listed),
        },
        read,
      ),
    ]),
  );
}

/** Says in words how much of a folder is shown. */
export function shownText({ files, left, cut }: Snapshot, maxFiles: number): string {
  if (left === 0 && !cut) return `It has ${files.size} ${files.size === 1 ? 'file' : 'files'}.`;
  return `It shows ${files.size} files (at most ${maxFiles}); ${cut ? 'at least ' : ''}${left} more are left out.`;
}

async function valueOf(folder: Folder, path: string): Promise<ResourceValue | null> {
  const directory = await readDirectory(folder, path.replace(/\/$/, ''));
  if (directory !== undefined) return directory;
  // A trailing slash would give the same file a second URI, which access checks by URI text would miss.
  if (path.endsWith('/')) return null;
  // Below the top whatever the name looks like: a path in a uri is never a full path or a uri itself.
  const entry = await locate(folder, `./${path}`);
  const value = await readFile(folder, entry);
  const { mimeType } = entry;
  return { ...value, ...(mimeType === undefined ? {} : { mimeType }) };
}

function listed({ path, uri, size, modified, mimeType }: FileEntry): ListedResource {
  return {
    uri,
    size,
    ...(unreadable.test(path) ? {} : { name: path }),
    ...(mimeType === undefined ? {} : { mimeType }),
    annotations: { lastModified: modified.toISOString() },
  };
}

const unreadable = /[\p{Cf}\p{Zl}\p{Zp}]/u;

/** Most bytes of all files of one directory. */
const maxDirectoryBytes = 1_048_576;

/**
 * The files that lie directly in a directory, with their contents; undefined where there is no such directory with shown
 * files in or below it. Rejects with TOO_LARGE, whose data names the directories below, which may be small enough.
 */
async function readDirectory(folder: Folder, path: string): Promise<readonly ContentsValue[] | undefined> {
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
