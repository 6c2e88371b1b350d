import { METHOD_NOT_FOUND, OVERLOADED } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallTurn } from '../../src/peer/call-turns.js';
import { CallTurns } from '../../src/peer/call-turns.js';
import { RpcError } from '../../src/base/errors.js';

const small = { content: [] };
const large = { content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }] };

/** Takes turns as callers, and notes who has started. */
function callers(maxBytes = 1024 * 1024 * 1024) {
  const turns = new CallTurns();
  const memory = { heldBytes: 0, maxBytes };
  const started: string[] = [];
  const take = (holder: string, count = 1): CallTurn[] =>
    Array.from({ length: count }, () => turns.take({ holder, memory }, () => void started.push(holder)));
  /** Makes a caller known by a result. */
  const known = (holder: string, result: object): void => {
    for (const turn of take(holder)) turn.end(result as never);
    started.length = 0;
  };
  const countOf = (holder: string): number => started.filter((name) => name === holder).length;
  return { memory, started, take, known, countOf };
}

describe('the calls of one server behind a gateway', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('leave places to other callers, always as many as one of them has, and start in turns of the callers', () => {
    const { started, take, known, countOf } = callers();
    const names = ['ada', 'bob', 'cyd', 'dan'];
    for (const name of names) known(name, small);
    const ofBob = take('bob', 140);
    take('cyd', 128);
    take('dan', 128);
    take('ada', 2);
    expect(names.map(countOf)).toEqual([2, 112, 56, 28]);
    started.length = 0;
    for (const turn of ofBob.slice(0, 112)) turn.end(small);
    expect(names.map(countOf)).toEqual([0, 28, 9, 37]);
    expect(started.slice(-3)).toEqual(['dan', 'cyd', 'dan']);
  });

  it('leave an eighth of the places to callers that have none under way', () => {
    const { take, known, countOf } = callers();
    const many = Array.from({ length: 90 }, (_, at) => `mallory ${String(at)}`);
    for (const name of [...many, 'ada']) known(name, small);
    for (const name of many.slice(0, 30)) take(name, 200);
    take('ada', 3);
    expect(many.slice(0, 10).map(countOf)).toEqual([112, 56, 28, 14, 7, 4, 2, 1, 1, 1]);
    expect(countOf('ada')).toBe(1);
    for (const name of many.slice(30)) take(name, 200);
    expect(many.reduce((sum, name) => sum + countOf(name), 1)).toBe(256);
  });

  it('that wait and are not wanted any more never start', () => {
    const { take, known, countOf } = callers();
    known('bob', small);
    const turns = take('bob', 130);
    turns[113]?.end();
    turns[0]?.end();
    turns[0]?.end();
    turns[1]?.end();
    expect(countOf('bob')).toBe(114);
  });

  it('start in doubling numbers while nothing is known of their results', () => {
    const { take, countOf } = callers();
    take('bob', 112);
    expect(countOf('bob')).toBe(32);
    vi.advanceTimersByTime(200);
    expect(countOf('bob')).toBe(112);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of callers with small results wait for none with large results', () => {
    const { take, known, countOf } = callers();
    known('ada', small);
    known('mallory', large);
    take('mallory', 20);
    take('ada', 20);
    expect([countOf('mallory'), countOf('ada')]).toEqual([8, 20]);
  });

  it('with large results wait while these would take too much memory', () => {
    const { memory, take, known, countOf } = callers(16 * 1024 * 1024);
    known('mallory', large);
    const [first] = take('mallory', 8);
    expect(countOf('mallory')).toBe(4);
    memory.heldBytes = 7 * 1024 * 1024;
    first?.end(large as never);
    expect(countOf('mallory')).toBe(4);
    memory.heldBytes = 0;
    vi.advanceTimersByTime(100);
    expect(countOf('mallory')).toBe(5);
  });

  it('that last long make room for others, also while large results come', () => {
    const { take, known, countOf } = callers();
    const others = Array.from({ length: 17 }, (_, at) => `other ${String(at)}`);
    for (const name of others) known(name, small);
    known('mallory', large);
    take('bob', 20);
    for (const name of others.slice(1)) {
      expect(countOf('bob')).toBe(8);
      take(name)[0]?.end(large as never);
      vi.advanceTimersByTime(90);
    }
    expect(countOf('bob')).toBe(16);
  });

  it('that last long among few large results make no room, since those take as long', () => {
    const { take, known, countOf } = callers();
    const others = Array.from({ length: 15 }, (_, at) => `other ${String(at)}`);
    for (const name of others) known(name, small);
    known('mallory', large);
    take('bob', 20);
    for (const name of others) {
      take(name)[0]?.end(large as never);
      vi.advanceTimersByTime(90);
    }
    expect(countOf('bob')).toBe(8);
    vi.advanceTimersByTime(1_000);
    expect(countOf('bob')).toBe(20);
  });

  it('that last long are not expected to take memory once no large results come', () => {
    const { take, known, countOf } = callers(16 * 1024 * 1024);
    known('mallory', large);
    take('mallory', 20);
    vi.advanceTimersByTime(900);
    expect(countOf('mallory')).toBe(4);
    vi.advanceTimersByTime(100);
    expect(countOf('mallory')).toBe(8);
  });

  it('that had no room for their results are expected to be as large as the last one that was', () => {
    const { memory, take, known, countOf } = callers(16 * 1024 * 1024);
    known('mallory', large);
    for (const error of [
      new RpcError(OVERLOADED, 'the server has no memory'),
      new TransportError('OVERFLOW', 'this side has none'),
    ]) {
      take('ada')[0]?.failed(error);
      const before = countOf('ada');
      const turns = take('ada', 20);
      expect(countOf('ada') - before).toBe(4);
      for (const turn of turns) turn.end();
    }
    memory.heldBytes = memory.maxBytes;
    take('bob')[0]?.failed(new RpcError(METHOD_NOT_FOUND, 'says nothing of its size'));
    memory.heldBytes = 0;
    take('bob', 20);
    expect(countOf('bob')).toBe(9);
  });
});
