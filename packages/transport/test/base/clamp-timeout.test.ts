import { expect, it } from 'vitest';
import { clampTimeout } from '../../src/internal.js';

it('is clamped to the range of a timer', () => {
  expect([0, 1.5, 30_000, 2 ** 31 - 1].map(clampTimeout)).toEqual([0, 1.5, 30_000, 2 ** 31 - 1]);
  expect([2 ** 31, 1e12, Infinity].map(clampTimeout)).toEqual([2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]);
});
