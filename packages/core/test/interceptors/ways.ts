import { asyncScheduler, delay, from, map, observeOn, of, timer } from 'rxjs';
import type { HandlerResult } from '../../src/index.js';

/** What a handler gives. */
export type Value = Record<string, unknown>;

/** Ways in which a handler may come to its result later. */
export const ways: [string, (read: () => Value) => HandlerResult<Value>][] = [
  ['a promise', async (read) => (await Promise.resolve(), read())],
  ['setTimeout', (read) => new Promise((resolve) => void setTimeout(() => resolve(read()), 2))],
  ['the scheduler of rxjs', (read) => timer(2).pipe(map(read))],
  ['a hop between operators', (read) => of(1).pipe(observeOn(asyncScheduler), delay(1), map(read))],
  ['a promise in a stream', (read) => from(Promise.resolve()).pipe(map(read))],
  [
    'an async iterable',
    async function* (read) {
      await Promise.resolve();
      yield read();
    } as (read: () => Value) => HandlerResult<Value>,
  ],
];
