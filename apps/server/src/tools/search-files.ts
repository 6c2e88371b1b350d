import { type Observable, concat, concatMap, defer, from, map, of, takeWhile } from 'rxjs';
import { type ProgressItem, progressItem } from 'rxmcp';
import { type Tool, tool } from 'rxmcp/tools';
import * as z from 'zod';
import type { Folder } from '../folder/folder.js';
import { isShortOfFiles } from '../folder/open-file.js';
import { readFile } from '../folder/read-file.js';
import type { FileEntry } from '../folder/scan.js';
import { someAtOnce } from '../folder/map-concurrent.js';
import type { Journal } from '../journal/journal.js';
import { matchesGlob } from './glob.js';
import { scopeOf } from './scope.js';

const input = z.object({
  query: z.string().min(1).max(1_000).describe('The text to look for, as it is: no pattern'),
  glob: z
    .string()
    .max(500)
    .optional()
    .describe('Which paths to look into, such as "src/**/*.ts"; default all'),
  caseSensitive: z.boolean().optional().describe('Default false'),
  maxMatches: z.int().min(1).max(500).optional().describe('Default 50'),
});

const output = z.object({
  matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
  filesSearched: z.int(),
  filesSkipped: z.int().describe('Binary, or too large'),
  complete: z.boolean().describe('False where the search stopped at maxMatches'),
  scope: z.string().describe('Where was searched'),
});

type Found = z.infer<typeof output>;

/** Looks for a text in the files, a few at a time; stops when it is cancelled or has found enough. */
export function searchFiles(folder: Folder, journal: Journal): Tool {
  return tool(
    'search_files',
    {
      title: 'Search files',
      description:
        'Finds lines that contain a text, such as {"query": "TODO", "glob": "**/*.ts"}. Gives path, line number and line.',
      input,
      output,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ query, glob, caseSensitive = false, maxMatches = 50 }, ctx) => {
      const search = (files: readonly FileEntry[], scope: string): Observable<ProgressItem | Found> => {
        const findings = new Findings(maxMatches);
        return concat(
          from(
            someAtOnce(files, atOnce, (file) => linesWith(folder, file, query, caseSensitive, maxMatches)),
          ).pipe(
            takeWhile((found) => findings.add(found), true),
            map(() => progressItem(findings.filesDone, files.length)),
          ),
          defer(() => {
            const result = { ...findings.result(), scope };
            journal.note(
              ctx,
              'info',
              `search_files: ${counted(result.matches.length, 'match', 'matches')} in ${counted(result.filesSearched, 'file', 'files')}`,
            );
            return of(result);
          }),
        );
      };
      return defer(async () => {
        const scope = await scopeOf(ctx, folder);
        const { files } = await folder.latest();
        const wanted = [...files.values()].filter(
          ({ path }) => glob === undefined || matchesGlob(glob, path),
        );
        return { files: await scope.only(wanted), said: scope.said };
      }).pipe(concatMap(({ files, said }) => search(files, said)));
    },
  );
}

const atOnce = 4;

/** The lines of a file that contain a text, at most `max`; undefined for a file that is binary, too large or removed. */
async function linesWith(
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

/** A line that was found. */
interface Match {
  readonly path: string;
  /** Counts from one. */
  readonly line: number;
  readonly text: string;
}

/** What one file had; undefined where it was not searched. */
type FileMatches = readonly Match[] | undefined;

/** Gathers what a search finds, in the order in which it is found, up to a number of matches. */
class Findings {
  readonly #matches: Match[] = [];
  #searched = 0;
  #skipped = 0;

  constructor(private readonly maxMatches: number) {}

  /** Files that are done with. */
  get filesDone(): number {
    return this.#searched + this.#skipped;
  }

  /** Adds the matches of a file. Returns whether more are needed. */
  add(found: FileMatches): boolean {
    if (found === undefined) this.#skipped += 1;
    else {
      this.#searched += 1;
      this.#matches.push(...found);
    }
    return this.#matches.length < this.maxMatches;
  }

  result(): { matches: Match[]; filesSearched: number; filesSkipped: number; complete: boolean } {
    const { maxMatches } = this;
    const searched = this.#searched;
    const skipped = this.#skipped;
    const matches = this.#matches.slice(0, maxMatches);
    return {
      matches,
      filesSearched: searched,
      filesSkipped: skipped,
      complete: this.#matches.length < maxMatches,
    };
  }
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
