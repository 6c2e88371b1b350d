import { concat, defer, finalize, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { each, offerMethod } from '../../src/index.js';
import type { EachOptions } from '../../src/index.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const over = { done: true, value: undefined };
const value = (n: number) => ({ done: false, value: n });

/** An iteration of a stream in the hands of the test. */
function iterated(options: EachOptions = {}) {
  const source = new Subject<number>();
  const iterator = each(source, options);
  const read = () => iterator.next().catch((error: unknown) => error);
  return { source, iterator, read };
}

describe('each', () => {
  it('subscribes with the first next(), and unsubscribes without one', async () => {
    let subscribed = 0;
    const stream = defer(() => ((subscribed += 1), NEVER));
    const left = each(stream);
    expect(await left.return()).toEqual(over);
    expect(await left.next()).toEqual(over);
    expect(subscribed).toBe(0);
    void each(stream).next();
    expect(subscribed).toBe(1);
  });

  it('yields the values in their order, however many are requested at a time', async () => {
    const { source, read } = iterated();
    const first = [read(), read()];
    for (const n of [1, 2, 3]) source.next(n);
    source.complete();
    expect(await Promise.all([...first, read(), read(), read()])).toEqual([
      ...[1, 2, 3].map(value),
      over,
      over,
    ]);
  });

  it('throws an error after the values, once', async () => {
    const seen: unknown[] = [];
    const iterator = each(
      concat(
        of(1, 2),
        throwError(() => 'mine'),
      ),
    );
    for (let i = 0; i < 4; i += 1) seen.push(await iterator.next().catch((error: unknown) => error));
    expect(seen).toEqual([value(1), value(2), 'mine', over]);
  });

  it('rejects the first waiting next() with an error, and ends the others', async () => {
    const { source, read } = iterated();
    const waiting = [read(), read()];
    source.error('mine');
    expect(await Promise.all(waiting)).toEqual(['mine', over]);
  });

  it('fails with OVERFLOW when its reader is too far behind, after the buffered values', async () => {
    const { source, read } = iterated({ bufferSize: 2 });
    const first = read();
    for (const n of [1, 2, 3, 4]) source.next(n);
    expect(source.observed).toBe(false);
    expect(await Promise.all([first, read(), read()])).toEqual([1, 2, 3].map(value));
    expect(await read()).toMatchObject({
      code: 'OVERFLOW',
      message: 'more than 2 values wait ("bufferSize")',
    });
    expect(await read()).toEqual(over);
  });

  it('ends with the reason of its signal at once, whatever is buffered', async () => {
    const leaving = new AbortController();
    const { source, read } = iterated({ signal: leaving.signal });
    const first = read();
    for (const n of [1, 2]) source.next(n);
    const reason = new Error('enough');
    leaving.abort(reason);
    expect(source.observed).toBe(false);
    expect([await first, await read(), await read()]).toEqual([value(1), reason, over]);
    expect(await iterated({ signal: leaving.signal }).read()).toBe(reason);
  });

  it('return() resolves the waiting next(), and unsubscribes from the stream at once', async () => {
    const { source, iterator, read } = iterated();
    const waiting = [read(), read()];
    const left = iterator.return();
    expect(source.observed).toBe(false);
    expect(await Promise.all([...waiting, left, read()])).toEqual([over, over, over, over]);
  });

  it('return() drops the buffered values', async () => {
    const { source, iterator, read } = iterated();
    const first = read();
    for (const n of [1, 2]) source.next(n);
    await first;
    await iterator.return();
    expect(await read()).toEqual(over);
  });

  it('throw() unsubscribes from the stream and rejects with the given error', async () => {
    const { source, iterator, read } = iterated();
    const waiting = read();
    await expect(iterator.throw(new Error('mine'))).rejects.toThrow('mine');
    expect(await waiting).toEqual(over);
    expect(source.observed).toBe(false);
  });

  it('leaving the loop unsubscribes from the stream', async () => {
    const source = new Subject<number>();
    queueMicrotask(() => [1, 2, 3].forEach((n) => source.next(n)));
    const seen: number[] = [];
    for await (const n of each(source)) {
      seen.push(n);
      if (n === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(source.observed).toBe(false);
  });

  it('a stream that cannot be subscribed to is an error', async () => {
    const broken = {
      subscribe() {
        throw new Error('no');
      },
    };
    await expect(each(broken).next()).rejects.toThrow('no');
  });
});

it('a handler that returns a silent iteration releases its source when the call is cancelled', async () => {
  let torn = 0;
  const silent = offerMethod(
    'x/y',
    {},
    () => each(NEVER.pipe(finalize(() => void (torn += 1)))) as AsyncIterable<never>,
  );
  const client = rawClient([silent]);
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/y', params: { _meta: modernMeta() } });
  await turn();
  client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(torn).toBe(1);
});
