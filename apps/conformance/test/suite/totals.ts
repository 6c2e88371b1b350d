import type { Outcome } from './outcome.js';
import { problemsOf } from './outcome.js';
import type { Leg, Requirements } from './requirements.js';

/** One line of figures for a leg, and one for each warning and for what was left out. */
export function totalsOf(
  leg: Leg,
  { revision, leftOut, [leg]: scenarios }: Requirements,
  outcomes: ReadonlyMap<string, Outcome>,
): string {
  const judged = scenarios.map((name) => ({ name, outcome: outcomes.get(name) }));
  const sum = (count: (outcome: Outcome) => number): number =>
    judged.reduce((total, { outcome }) => total + (outcome === undefined ? 0 : count(outcome)), 0);
  const good = judged.filter(({ outcome }) => problemsOf(outcome).length === 0).length;
  return [
    `${leg} ${revision}: scenarios ${good}/${judged.length}, checks passed ${sum(({ passed }) => passed)}` +
      `, failed ${sum(({ failed }) => failed.length)}, warned ${sum(({ warned }) => warned.length)}` +
      `, skipped ${sum(({ skipped }) => skipped)}`,
    ...judged.flatMap(({ name, outcome }) =>
      (outcome?.warned ?? []).map((why) => `  warned ${name}: ${why}`),
    ),
    ...leftOut
      .filter((one) => one.leg === leg)
      .map(({ scenario, reason }) => `  left out ${scenario}: ${reason}`),
  ].join('\n');
}
