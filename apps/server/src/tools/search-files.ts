import { progress, type ProgressItem } from 'rxmcp';
import { tool, type Tool } from 'rxmcp/tools';
import { concat, concatMap, defer, from, map, type Observable, of, takeWhile } from 'rxjs';
import * as z from 'zod';
import type { Folder } from '../folder/folder.js';
import type { FileEntry } from '../folder/scan.js';
import { someAtOnce } from '../folder/some-at-once.js';
import type { Journal } from '../journal/journal.js';
import { Findings } from './findings.js';
import { matchesGlob } from './glob.js';
import { linesWith } from './lines-with.js';
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
            map(() => progress(findings.filesDone, files.length)),
          ),
          defer(() => {
            const result = { ...findings.result(), scope };
            journal.note(
              ctx,
              'info',
              `search_files: ${result.matches.length} matches in ${result.filesSearched} files`,
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
