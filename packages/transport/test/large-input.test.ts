import { expect, test } from 'vitest';
import { inOwnTurn } from '../src/internal.js';

const [small, large] = [new Uint8Array(1_000), new Uint8Array(64 * 1024)];

test('large chunks that come together have a turn each, and a small one waits for none', async () => {
  const happened: string[] = [];
  const turn = (): void => void happened.push('turn');
  const took = (name: string) => (): void => {
    happened.push(name);
    setImmediate(turn);
  };
  const both = [inOwnTurn(large, took('one')), inOwnTurn(large, took('two'))];
  expect(inOwnTurn(small, () => void happened.push('small'))).toBeUndefined();
  await Promise.all(both);
  expect(happened).toEqual(['small', 'one', 'turn', 'two']);
});

test('a chunk that cannot be taken fails, and the next one is taken', async () => {
  const failing = inOwnTurn(large, () => {
    throw new Error('not taken');
  });
  await expect(failing).rejects.toThrow('not taken');
  const taken: number[] = [];
  await inOwnTurn(large, ({ length }) => void taken.push(length));
  expect(taken).toEqual([large.length]);
});
