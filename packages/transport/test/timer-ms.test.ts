import { expect, it } from 'vitest';
import { timerMs } from '../src/index.js';

it('is clamped to the range of a timer', () => {
  expect([0, 1.5, 30_000, 2 ** 31 - 1].map(timerMs)).toEqual([0, 1.5, 30_000, 2 ** 31 - 1]);
  expect([2 ** 31, 1e12, Infinity].map(timerMs)).toEqual([2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]);
});
