import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AnswerTurns } from '../../src/peer/answer-turns.js';
import { until } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Answers as callers whose answers take so many milliseconds. */
function callers(turns = new AnswerTurns()) {
  const sent: string[] = [];
  const answer = (holder: string, name: string, ms: number): void =>
    turns.answer(
      {
        host: { holder, memory: undefined as never },
        receiveInfo: undefined,
        succeed: ({ text }: { text: string }) => {
          sent.push(text);
          vi.advanceTimersByTime(ms);
        },
      } as unknown as Parameters<AnswerTurns['answer']>[0],
      { text: name },
    );
  return { sent, answer };
}

it('quick answers are sent at once, however many they are', () => {
  const { sent, answer } = callers();
  for (let count = 0; count < 100; count += 1) answer('one', String(count), 0.25);
  expect(sent).toHaveLength(100);
});

it('after 5 ms the rest wait, and callers take turns', async () => {
  const { sent, answer } = callers();
  for (const name of ['a1', 'a2', 'a3']) answer('address a', name, 5);
  answer('address b', 'b1', 5);
  answer('address c', 'c1', 1);
  expect(sent).toEqual(['a1']);
  await until(() => sent.length === 2);
  // Those who come while others wait wait too.
  answer('address b', 'b2', 5);
  expect(sent).toEqual(['a1', 'a2']);
  await until(() => sent.length === 6);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

it('answers of a millisecond count together', async () => {
  const { sent, answer } = callers();
  for (let count = 0; count < 12; count += 1) answer('one', String(count), 1);
  expect(sent).toHaveLength(5);
  await until(() => sent.length === 10);
  await until(() => sent.length === 12);
  expect(sent).toEqual(Array.from({ length: 12 }, (_, count) => String(count)));
});
