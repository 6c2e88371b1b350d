import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import type { RpcError } from '../../src/base/errors.js';
import { PreparedResult } from '../../src/contract/offer.js';
import { ResponseTurns } from '../../src/peer/response-turns.js';
import { turn, until } from '../rig/turn.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Answers as callers, with results of so many characters. */
function callers(maxBytes = 64 * mebibyte) {
  const turns = new ResponseTurns();
  const memory = new MemoryBudget({ maxBytes });
  const sent: string[] = [];
  const refused: string[] = [];
  const request = (holder: string, name: string, succeed: () => void = () => void sent.push(name)) => ({
    host: { holder, memory },
    receiveInfo: undefined,
    isOpen: true,
    succeed,
    failed: (error: unknown) => void refused.push(`${name} ${String((error as RpcError).code)}`),
  });
  const respond = (holder: string, name: string, chars: number): void =>
    turns.respond(request(holder, name), { content: [{ text: 'x'.repeat(chars) }] });
  return { turns, memory, sent, refused, request, respond };
}

describe('fault 37: responses', () => {
  it('that are short are sent at once, however many they are', () => {
    const { sent, respond } = callers();
    for (let count = 0; count < 1_000; count += 1) respond('one', String(count), 15 * kibibyte);
    expect(sent).toHaveLength(1_000);
  });

  it('wait after a mebibyte of large ones, and callers take turns', async () => {
    const { sent, respond } = callers();
    for (const name of ['a1', 'a2', 'a3']) respond('address a', name, mebibyte);
    respond('address b', 'b1', mebibyte);
    respond('address c', 'c1', mebibyte);
    expect(sent).toEqual(['a1']);
    await until(() => sent.length === 2);
    // One that comes while others wait waits too.
    respond('address b', 'b2', mebibyte);
    expect(sent).toEqual(['a1', 'a2']);
    await until(() => sent.length === 6);
    expect(sent).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('that are short overtake large ones', () => {
    const { sent, respond } = callers();
    for (const name of ['a1', 'a2']) respond('one', name, mebibyte);
    respond('one', 'short', 15 * kibibyte);
    expect(sent).toEqual(['a1', 'short']);
  });

  it('that are large overtake none that wait, also where one of those makes room for them', async () => {
    const { turns, sent, request, respond } = callers();
    respond('one', 'first', mebibyte);
    for (const name of ['second', 'third']) {
      const succeed = (): void => {
        respond('one', `after ${name}`, mebibyte);
        sent.push(name);
      };
      turns.respond(request('one', name, succeed), { text: 'x'.repeat(mebibyte) });
    }
    await until(() => sent.length === 5);
    expect(sent).toEqual(['first', 'second', 'third', 'after second', 'after third']);
  });

  it('count together, whatever they consist of', async () => {
    const { turns, sent, request, respond } = callers();
    const send = (name: string, result: object): void => turns.respond(request('one', name), result as never);
    send('many values', { content: Array.from({ length: 40_000 }, () => 0) });
    const prepared = new PreparedResult({ text: 'x'.repeat(400 * kibibyte) });
    send('prepared', prepared);
    expect(sent).toEqual(['many values', 'prepared']);
    respond('one', 'next', 16 * kibibyte);
    expect(sent).toHaveLength(2);
    await until(() => sent.length === 3);
  });

  it('whose clients have left take the turn of no other', async () => {
    const { turns, memory, sent, request, respond } = callers();
    respond('one', 'first', mebibyte);
    const left = Array.from({ length: 5 }, () => request('one', 'left'));
    for (const one of left) turns.respond(one, { text: 'x'.repeat(mebibyte) });
    respond('one', 'last', mebibyte);
    for (const one of left) one.isOpen = false;
    await turn(17);
    expect(sent).toEqual(['first', 'last']);
    expect(memory.heldBytes).toBe(0);
  });

  it('of a cycle are sent, so that their error is reported', async () => {
    const { turns, sent, request } = callers();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    turns.respond(request('one', 'cycle'), cycle);
    await turn();
    expect(sent).toEqual(['cycle']);
  });

  it('that wait are charged to their caller until they are sent, and refused beyond its share', async () => {
    const { turns, memory, sent, refused, request, respond } = callers(16 * mebibyte);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) respond('address a', name, mebibyte);
    respond('address b', 'b1', mebibyte);
    // A prepared one is kept once, however many wait for it.
    const prepared = new PreparedResult({ text: 'x'.repeat(8 * mebibyte) });
    turns.respond(request('address a', 'prepared'), prepared);
    expect(refused).toEqual(['a5 -31001', 'a6 -31001']);
    const { largest } = memory.stats();
    expect(largest.map(({ holder }) => holder)).toEqual(['address a', 'address b']);
    expect(largest[0]?.heldBytes).toBeGreaterThan(6 * mebibyte);
    await until(() => sent.length === 6);
    expect(memory.heldBytes).toBe(0);
  });
});
