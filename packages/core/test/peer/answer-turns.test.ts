import { describe, expect, it } from 'vitest';
import { PreparedResult } from '../../src/contract/offer.js';
import { AnswerTurns } from '../../src/peer/answer-turns.js';
import { turn, until } from '../rig/turn.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Answers as callers, with results of so many characters. */
function callers() {
  const turns = new AnswerTurns();
  const sent: string[] = [];
  const answer = (holder: string, name: string, chars: number): void => {
    const succeed = (): void => void sent.push(name);
    const host = { holder, memory: undefined as never };
    turns.answer({ host, receiveInfo: undefined, succeed }, { content: [{ text: 'x'.repeat(chars) }] });
  };
  return { turns, sent, answer };
}

describe('fault 37: answers', () => {
  it('that are short are sent at once, however many they are', () => {
    const { sent, answer } = callers();
    for (let count = 0; count < 1_000; count += 1) answer('one', String(count), 15 * kibibyte);
    expect(sent).toHaveLength(1_000);
  });

  it('wait after a mebibyte of large ones, and callers take turns', async () => {
    const { sent, answer } = callers();
    for (const name of ['a1', 'a2', 'a3']) answer('address a', name, mebibyte);
    answer('address b', 'b1', mebibyte);
    answer('address c', 'c1', 1);
    expect(sent).toEqual(['a1']);
    await until(() => sent.length === 2);
    // One that comes while others wait waits too.
    answer('address b', 'b2', mebibyte);
    expect(sent).toEqual(['a1', 'a2']);
    await until(() => sent.length === 6);
    expect(sent).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('overtake none that wait, also where one of those makes room for them', async () => {
    const { turns, sent, answer } = callers();
    const host = { holder: 'one', memory: undefined as never };
    answer('one', 'first', mebibyte);
    for (const name of ['second', 'third']) {
      const succeed = (): void => {
        answer('one', `after ${name}`, 1);
        sent.push(name);
      };
      turns.answer({ host, receiveInfo: undefined, succeed }, {});
    }
    await until(() => sent.length === 5);
    expect(sent).toEqual(['first', 'second', 'third', 'after second', 'after third']);
  });

  it('count together, whatever they consist of', async () => {
    const { turns, sent, answer } = callers();
    const host = { holder: 'one', memory: undefined as never };
    const send = (name: string, result: object): void =>
      turns.answer({ host, receiveInfo: undefined, succeed: () => void sent.push(name) }, result as never);
    send('many values', { content: Array.from({ length: 40_000 }, () => 0) });
    const prepared = new PreparedResult({});
    prepared.texts.set('modern', 'x'.repeat(400 * kibibyte));
    send('prepared', prepared);
    expect(sent).toEqual(['many values', 'prepared']);
    answer('one', 'next', 1);
    expect(sent).toHaveLength(2);
    await until(() => sent.length === 3);
  });

  it('of a cycle are sent, so that their error is reported', async () => {
    const { turns, sent } = callers();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const host = { holder: 'one', memory: undefined as never };
    turns.answer({ host, receiveInfo: undefined, succeed: () => void sent.push('cycle') }, cycle);
    await turn();
    expect(sent).toEqual(['cycle']);
  });
});
