import { expect, test } from 'vitest';
import { MemoryBudget } from '../src/index.js';
import { HeldConnections } from '../src/internal.js';

const kibibyte = 1024;

test('one holder has at most half of the connections, and all together have no more than there may be', () => {
  const memory = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
  const held = new HeldConnections(memory, 5);
  expect([1, 2, 3, 4].map(() => held.tryAdd('ada'))).toEqual([true, true, true, false]);
  expect([1, 2, 3].map(() => held.tryAdd('bob'))).toEqual([true, true, false]);
  expect(held.size).toBe(5);
  held.remove('ada');
  expect([held.tryAdd('cleo'), held.tryAdd('bob')]).toEqual([true, false]);
  for (const holder of ['ada', 'ada', 'bob', 'bob', 'cleo']) held.remove(holder);
  expect([held.size, memory.heldBytes]).toEqual([0, 0]);
  expect(held.tryAdd('ada')).toBe(true);
});

test('each connection is charged to its holder, and refused beyond its share', () => {
  const memory = new MemoryBudget({ maxBytes: 64 * kibibyte });
  const held = new HeldConnections(memory, 1_000);
  expect([1, 2, 3].map(() => held.tryAdd('ada'))).toEqual([true, true, false]);
  expect(held.tryAdd('bob')).toBe(true);
  expect(memory.stats().largest).toEqual([
    { holder: 'ada', heldBytes: 24 * kibibyte },
    { holder: 'bob', heldBytes: 12 * kibibyte },
  ]);
});
