import { expect, it } from 'vitest';
import { inTurns } from '../../src/peer/in-turns.js';
import { oneStepEachTurn, until } from '../rig/turn.js';

it('holders take turns, one generator of a holder after the other', async () => {
  oneStepEachTurn();
  const done: string[] = [];
  function* steps(name: string, count: number): Generator<void, void> {
    for (let step = 1; step < count; step += 1) {
      done.push(name);
      yield;
    }
    done.push(`${name} ends`);
  }
  void inTurns('a', steps('a1', 4));
  void inTurns('a', steps('a2', 1));
  void inTurns('b', steps('b1', 2));
  expect(done).toEqual(['a1']);
  await until(() => done.length === 7);
  expect(done).toEqual(['a1', 'a1', 'b1', 'a1', 'b1 ends', 'a1 ends', 'a2 ends']);
});
