import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Level } from './sentences.js';

/** One requirement of the specification; README.md in this folder describes its members. */
export interface Clause {
  /** The revision, the page and the number of the sentence there, such as `26/tools/3`. */
  readonly id: string;
  readonly level: Level;
  /** Newest first, such as `26` and `11`. */
  readonly revisions: readonly string[];
  /** Where it stands in the newest of them, such as `server/tools#capabilities`. */
  readonly anchor: string;
  /** Whom it binds; `author` is who uses the library, `host` the program around a client. */
  readonly binds: 'client' | 'server' | 'both' | 'author' | 'host' | 'other';
  /** What it requires, in our own words. */
  readonly says: string;
  /** The sentences that say so, see `sentences.ts`. */
  readonly hashes: readonly string[];
  /** @default every transport */
  readonly transports?: readonly string[];
  /** The line that keeps it, as `path#fragment`: the one line of that file in which the fragment stands. */
  readonly guards?: string;
  /** Tests elsewhere that show it, as `path#title`. */
  readonly shownBy?: readonly string[];
  /** Why it is nothing that this library could keep or break. */
  readonly outside?: string;
  /** Why it is not kept. */
  readonly unmet?: string;
  /** Why no test shows it so far. */
  readonly untested?: string;
}

/** The revisions by the short names that entries use, newest first. */
export const revisionNames: ReadonlyMap<string, string> = new Map([
  ['26', '2026-07-28'],
  ['11', '2025-11-25'],
  ['06', '2025-06-18'],
  ['03', '2025-03-26'],
  ['24', '2024-11-05'],
]);

/** Pages of which no sentence has an entry, each with the reason. */
export const pagesOutside: ReadonlyMap<RegExp, string> = new Map([
  [/^basic\/authorization/, 'authorization is a package to come'],
  [/^basic\/utilities\/tasks$/, 'tasks are a package to come'],
  [/^schema$/, 'generated from the schema, against which the frames themselves are checked'],
  [/^(?:changelog|deprecated)$/, 'repeats or announces what the other pages say'],
]);

/** All entries, in the order of their files. */
export function clauses(): Clause[] {
  const folder = fileURLToPath(new URL('clauses/', import.meta.url));
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Clause[]);
}

/** The eras in which an entry holds. */
export function erasOf({ revisions }: Clause): ('modern' | 'legacy')[] {
  const legacy = revisions.some((revision) => revision !== '26');
  return [
    ...(revisions.includes('26') ? (['modern'] as const) : []),
    ...(legacy ? (['legacy'] as const) : []),
  ];
}
