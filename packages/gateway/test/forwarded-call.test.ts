import type { CallEvent, Context, JsonObject } from '@rxmcp/core';
import { awaitableEvents } from '@rxmcp/core/internal';
import { finalize, NEVER, type Observable, of, Subject } from 'rxjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ForwardedCall } from '../src/forwarded-call.js';
import { WaitingRequest } from '../src/held-calls.js';
import { InnerServer } from '../src/inner-server.js';
import { connected, modern, served } from './rig.js';

type Event = CallEvent<JsonObject>;

const result: Event = { type: 'result', result: { content: [] } };

/** The context of a request whose client answers later. */
const context = (asked: string[] = []): Context =>
  ({
    host: { holder: 'one', memory: { heldBytes: 0, maxBytes: 1 } },
    meta: {},
    caller: { capabilities: {} },
    step: () => Promise.resolve(),
    ask: (_ask: unknown, key: string) => {
      asked.push(key);
      return new Promise(() => undefined);
    },
  }) as unknown as Context;

const rig = async () => {
  const server = new InnerServer(NEVER, { prefix: 'shop' });
  server.remote = await connected(served('shop', []), modern);
  let begun = 0;
  const call = (events: Observable<Event>): ForwardedCall =>
    new ForwardedCall(server, () =>
      awaitableEvents<JsonObject>((sink) => {
        begun += 1;
        const running = events.subscribe(sink);
        return { cancel: () => running.unsubscribe() };
      }),
    );
  return { call, server, begun: () => begun };
};

const ignored = { next: () => undefined, error: () => undefined, complete: () => undefined };

it.each<[string, () => Observable<Event>]>([
  ['ended at once', () => of(result)],
  ['is cancelled', () => NEVER],
])('a call that %s makes way for the next one', async (_how, events) => {
  const { call, begun } = await rig();
  for (let made = 0; made < 300; made += 1)
    new WaitingRequest(call(events()), context()).subscribe(ignored).unsubscribe();
  expect(begun()).toBe(300);
});

it('a call that ends later makes way for the next one', async () => {
  const { call, begun } = await rig();
  for (let made = 0; made < 300; made += 1) {
    const events = new Subject<Event>();
    new WaitingRequest(call(events), context()).subscribe(ignored);
    events.next(result);
  }
  expect(begun()).toBe(300);
});

it('of one caller, as many calls run at a time as may return large results', async () => {
  const { call, begun } = await rig();
  const waiting = Array.from({ length: 40 }, () =>
    new WaitingRequest(call(NEVER), context()).subscribe(ignored),
  );
  expect(begun()).toBe(32);
  for (const one of waiting) one.unsubscribe();
});

it.each<[string, (call: ForwardedCall, events: Subject<Event>) => void]>([
  ['cancelled', (call) => call.cancel()],
  ['answered', (_call, events) => events.next(result)],
])('the open asks of a call end when it is %s', async (_how, end) => {
  const { call } = await rig();
  const events = new Subject<Event>();
  const one = call(events);
  const asked: string[] = [];
  new WaitingRequest(one, context(asked)).subscribe(ignored);
  expect([one.openAsks, one.isOver]).toEqual([0, false]);
  const asks = [one.ask({ method: 'roots/list', needs: {} }), one.ask({ method: 'roots/list', needs: {} })];
  expect(one.openAsks).toBe(2);
  end(one, events);
  for (const ask of asks) await expect(ask).rejects.toMatchObject({ code: 'CANCELLED', outcome: 'unknown' });
  expect([one.openAsks, one.isOver]).toEqual([0, true]);
});

it('a second call of a request that waits for its client ends after 10 minutes too', async () => {
  const { call, server } = await rig();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const released: number[] = [];
  const memory = { heldBytes: 0, maxBytes: 1, release: (_: string, bytes: number) => released.push(bytes) };
  const ctx = { ...context(), isSuspended: true, host: { holder: 'one', memory }, heldBytes: 100 };
  let isCancelled = false;
  const silent = call(NEVER.pipe(finalize(() => (isCancelled = true))));
  new WaitingRequest(silent, ctx as unknown as Context).subscribe(ignored).unsubscribe();
  vi.advanceTimersByTime(600_000);
  expect([isCancelled, released]).toEqual([true, [100]]);
  expect(server.held.take(silent.id)).toBeUndefined();
});
