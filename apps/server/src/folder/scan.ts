import { lstat, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { findFiles } from './find-files.js';
import { folderUri, uriOf } from './folder-uri.js';
import { mediaTypeOf } from './media-type.js';
import { someAtOnce } from './map-concurrent.js';

/** One file that is shown. */
export interface FileEntry {
  /** With slashes, from the top of the folder. */
  readonly path: string;
  readonly uri: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  readonly mimeType: string | undefined;
  /** Where its bytes are: for a link the path of its target, else its own. */
  readonly real: string;
  /** Differs whenever the file was changed. */
  readonly stamp: string;
}

/** What a folder holds at one moment. */
export interface Snapshot {
  /** By path, in its order. */
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly directories: readonly string[];
  /** Full paths of files that are not shown, but say what may be. */
  readonly rules: readonly string[];
  /** How many files are not shown because there are too many; at least that many where `cut`. */
  readonly left: number;
  readonly cut: boolean;
  readonly git: boolean;
}

const atOnce = 64;

/** Looks at a folder: which files may be shown, and of what size they are. Beyond `maxFiles` they are only counted. */
export async function scanFolder(root: string, maxFiles: number): Promise<Snapshot> {
  const { paths, directories, rules, git, cut } = await findFiles(root);
  const top = folderUri(root);
  const sorted = [...paths].filter(canBeNamed).sort();
  const files = new Map<string, FileEntry>();
  let at = 0;
  for await (const entry of someAtOnce(sorted, atOnce, (path) => entryOf(root, top, path, paths))) {
    if (files.size >= maxFiles) break;
    at += 1;
    if (entry !== undefined) files.set(entry.path, entry);
  }
  return { files, directories, rules, left: sorted.length - at, cut, git };
}

async function entryOf(
  root: string,
  top: string,
  path: string,
  shown: ReadonlySet<string>,
): Promise<FileEntry | undefined> {
  const full = join(root, path);
  try {
    const own = await lstat(full);
    const real = own.isSymbolicLink() ? await targetOf(root, full) : path;
    // A link may lead only to what is shown itself: not out of the folder, and to nothing that is kept back.
    if (real === undefined || !shown.has(real)) return undefined;
    const facts = own.isSymbolicLink() ? await stat(full) : own;
    if (!facts.isFile()) return undefined;
    return {
      path,
      uri: uriOf(top, path),
      size: facts.size,
      modified: facts.mtime,
      mimeType: mediaTypeOf(path),
      real,
      stamp: `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`,
    };
  } catch {
    // Removed since it was found, or a link with a missing target.
    return undefined;
  }
}

async function targetOf(root: string, link: string): Promise<string | undefined> {
  const way = relative(root, await realpath(link))
    .split(sep)
    .join('/');
  return way.startsWith('../') ? undefined : way;
}

// Uris of the template reject what looks like a way out on some system, so such names cannot be asked for.
function canBeNamed(path: string): boolean {
  return !/[\\\p{Cc}]/u.test(path) && !/^[A-Za-z]:/.test(path);
}
