import type { Clause } from './clause.js';
import { clauses, revisionNames } from './clause.js';

/** How the entries of one revision stand. */
export interface Coverage {
  readonly revision: string;
  readonly entries: number;
  readonly shown: number;
  readonly untested: number;
  readonly unmet: number;
  readonly outside: number;
}

/** How the entries of each revision stand, newest first. */
export function coverage(all: readonly Clause[] = clauses()): Coverage[] {
  return [...revisionNames].map(([name, revision]) => {
    const its = all.filter(({ revisions }) => revisions.includes(name));
    const [untested, unmet, outside] = (['untested', 'unmet', 'outside'] as const).map(
      (mark) => its.filter((clause) => clause[mark] !== undefined).length,
    ) as [number, number, number];
    const shown = its.length - untested - unmet - outside;
    return { revision, entries: its.length, shown, untested, unmet, outside };
  });
}

/** The same as a sentence. */
export function inWords({ revision, entries, shown, untested, unmet, outside }: Coverage): string {
  const bound = entries - outside;
  const percent = bound === 0 ? 0 : Math.floor((100 * shown) / bound);
  return (
    `${revision}: ${entries} requirements, ${outside} of them nothing for a library; of the other ${bound} ` +
    `${shown} (${percent} %) are shown by tests, ${untested} by none so far, ${unmet} are not met`
  );
}
