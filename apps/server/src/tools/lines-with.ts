import type { Folder } from '../folder/folder.js';
import { readFile } from '../folder/read-file.js';
import type { FileEntry } from '../folder/scan.js';
import { isShortOfFiles } from '../folder/short-of-files.js';
import type { FileMatches, Match } from './findings.js';

/** The lines of a file that contain a text, at most `max`; undefined for a file that is binary, too large or gone. */
export async function linesWith(
  folder: Folder,
  entry: FileEntry,
  query: string,
  caseSensitive: boolean,
  max: number,
): Promise<FileMatches> {
  if (entry.size > maxSearchedBytes) return undefined;
  // A file that vanished or was swapped since it was listed is one less, not the end of the search.
  const value = await readFile(folder, entry).catch((error: unknown) => {
    if (isShortOfFiles(error)) throw error;
    return undefined;
  });
  if (value?.text === undefined) return undefined;
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const wanted = fold(query);
  // Most files have none: lines are only made where there is something.
  if (!fold(value.text).includes(wanted)) return [];
  const matches: Match[] = [];
  for (const [at, line] of value.text.split('\n').entries()) {
    if (!fold(line).includes(wanted)) continue;
    matches.push({ path: entry.path, line: at + 1, text: shortened(line.trim()) });
    if (matches.length === max) break;
  }
  return matches;
}

const maxSearchedBytes = 1_048_576;

function shortened(line: string): string {
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
