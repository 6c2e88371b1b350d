import { expect, test } from 'vitest';
import { MemoryBudget } from '../../src/index.js';
import { HeldConnections } from '../../src/internal.js';

const kibibyte = 1024;

const open = undefined;

test('one holder has at most half of the connections, others half of the rest, and all together no more than there may be', () => {
  const memory = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
  const held = new HeldConnections(memory, 5, 'maxConnections');
  const hasItsShare = (count: number): string =>
    `this caller has ${String(count)} connections open, its share of "maxConnections", which is 5. Close some`;
  const areTooMany =
    'the server has as many connections open as "maxConnections", which is 5, allows. Retry later';
  expect([1, 2, 3, 4].map(() => held.add('ada'))).toEqual([open, open, open, hasItsShare(3)]);
  expect([1, 2].map(() => held.add('bob'))).toEqual([open, hasItsShare(1)]);
  expect(['cleo', 'dan'].map((holder) => held.add(holder))).toEqual([open, areTooMany]);
  expect(held.size).toBe(5);
  held.remove('ada');
  expect([held.add('bob'), held.add('dan'), held.add('dan')]).toEqual([hasItsShare(1), open, hasItsShare(1)]);
  for (const holder of ['ada', 'ada', 'bob', 'cleo', 'dan']) held.remove(holder);
  expect([held.size, memory.heldBytes]).toEqual([0, 0]);
  expect(held.add('ada')).toBe(open);
});

test('each connection is charged to its holder, and refused beyond its share or where no memory is left', () => {
  const memory = new MemoryBudget({ maxBytes: 64 * kibibyte });
  const held = new HeldConnections(memory, 1_000, 'maxSessions');
  expect([1, 2, 3].map(() => held.add('ada'))).toEqual([
    open,
    open,
    expect.stringContaining('this caller holds its share of "memory"'),
  ]);
  expect(held.add('bob')).toBe(open);
  expect(memory.stats().largest).toEqual([
    { holder: 'ada', heldBytes: 24 * kibibyte },
    { holder: 'bob', heldBytes: 12 * kibibyte },
  ]);
  expect(['cleo', 'cleo', 'dan'].map((holder) => held.add(holder))).toEqual([
    open,
    open,
    'no "memory" is left. Retry later',
  ]);
});
