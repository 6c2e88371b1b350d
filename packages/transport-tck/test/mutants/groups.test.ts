import { expect, test } from 'vitest';
import { rules } from '../../src/rules/index.js';
import { bothWays } from './both-ways.js';
import { carrying } from './carrying.js';
import { closing } from './closing.js';
import { ending } from './ending.js';
import { exchanging } from './exchanging.js';
import { framing } from './framing.js';
import { lanedEnds } from './laned-ends.js';
import { laned } from './laned.js';
import { opening } from './opening.js';
import { brokered, forked, ported } from './posted.js';
import { pressing } from './pressing.js';
import { reporting } from './reporting.js';
import { streamed } from './streamed.js';

/** All mutants, by the wire that they break. */
const wires = {
  pipe: [
    ...bothWays,
    ...opening,
    ...carrying,
    ...pressing,
    ...closing,
    ...ending,
    ...exchanging,
    ...framing,
    ...reporting,
  ],
  lanes: [...laned, ...lanedEnds],
  'stream of bytes': streamed,
  broker: brokered,
  port: ported,
  'child process': forked,
};

test('every rule has a mutant of its own', () => {
  const named = new Set(
    Object.values(wires)
      .flat()
      .map(({ law }) => law),
  );
  expect(rules.filter(({ id }) => !named.has(id)).map(({ id }) => id)).toEqual([]);
});

test('there are at least 120 mutants, on at least five kinds of wire, and each names a rule', () => {
  const mutants = Object.values(wires).flat();
  expect(mutants.length).toBeGreaterThanOrEqual(120);
  expect(Object.values(wires).filter(({ length }) => length >= 5).length).toBeGreaterThanOrEqual(5);
  const ids = rules.map(({ id }) => id);
  for (const { law } of mutants) expect(ids).toContain(law);
});

test('the ids of rules are unique', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});
