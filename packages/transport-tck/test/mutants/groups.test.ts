import { expect, test } from 'vitest';
import { rules } from '../../src/rules/index.js';
import { bothWays } from './both-ways.js';
import { carrying } from './carrying.js';
import { closing } from './closing.js';
import { ending } from './ending.js';
import { lanedEnds } from './laned-ends.js';
import { laned } from './laned.js';
import { group } from './mutant.js';
import { opening } from './opening.js';
import { pressing } from './pressing.js';
import { streamed } from './streamed.js';

test('every group of rules has a mutant', () => {
  const groups = (ids: readonly string[]): string[] => [...new Set(ids.map(group))].sort();
  const mutants = [
    ...bothWays,
    ...opening,
    ...carrying,
    ...pressing,
    ...closing,
    ...ending,
    ...laned,
    ...lanedEnds,
    ...streamed,
  ];
  expect(groups(mutants.map(({ law }) => law))).toEqual(groups(rules.map(({ id }) => id)));
});

test('the ids of rules are unique', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});
