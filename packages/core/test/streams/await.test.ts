import { isObservable } from 'rxjs';
import { expect, expectTypeOf, it } from 'vitest';
import type { Call, CallWithEvents, JsonObject } from '../../src/index.js';
import { once, RxmcpError } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';
import type { RawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

const answering = () => rawServer((frame) => ({ result: { id: frame.id } }));
const silent = () => rawServer(() => undefined);
const methods = (server: RawServer) => server.calls().map((f) => f.method);

it('a call that is awaited sends one request each time and gives its result', async () => {
  const server = answering();
  const call = (await connected(server)).request('x/y');
  expectTypeOf(call).toEqualTypeOf<Call<JsonObject>>();
  const first = await call;
  const second = await call;
  expect(methods(server)).toEqual(['x/y', 'x/y']);
  expect(second['id']).not.toBe(first['id']);
  expect(isObservable(call)).toBe(true);
});

it('a call that fails rejects, and catch and finally are those of a promise', async () => {
  const remote = await connected(rawServer(() => ({ error: { code: -31999, message: 'no' } })));
  await expect(remote.request('x/y')).rejects.toMatchObject({ code: -31999 });
  const seen: string[] = [];
  const caught = await remote
    .request('x/y')
    .finally(() => seen.push('finally'))
    .catch((error: unknown) => error);
  expect(caught).toMatchObject({ code: -31999 });
  expect(await remote.request('x/y').catch(() => 'caught')).toBe('caught');
  expect(seen).toEqual(['finally']);
});

it('the events of a call give its result when they are awaited, and so does once', async () => {
  const server = rawServer((frame, wire) => {
    const { progressToken } = (frame.params as { _meta: { progressToken: unknown } })._meta;
    wire.put({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } });
    return { result: { n: 1 } };
  });
  const remote = await connected(server);
  const events = getRemoteLink(remote).events({ method: 'x/y', decode: (result) => result['n'] as number });
  expectTypeOf(events).toEqualTypeOf<CallWithEvents<number>>();
  expect(await events).toBe(1);
  expect(await once(events)).toBe(1);
  expectTypeOf(once(events)).toEqualTypeOf<Promise<number>>();
  const types: string[] = [];
  await new Promise<void>((complete) => {
    events.subscribe({ next: ({ type }) => types.push(type), complete });
  });
  expect(types).toEqual(['progress', 'result']);
});

it('aborting the signal of a call cancels it with its reason, before and while it runs', async () => {
  const server = silent();
  const remote = await connected(server);
  const leaving = new AbortController();
  const call = remote.request('x/y', {}, { signal: leaving.signal });
  const given = call.catch((error: unknown) => error);
  await until(() => methods(server).length === 1);
  const reason = new Error('enough');
  leaving.abort(reason);
  expect(await given).toBe(reason);
  await until(() => methods(server).includes('notifications/cancelled'));
  expect(await call.catch((error: unknown) => error)).toBe(reason);
  expect(methods(server)).toEqual(['x/y', 'notifications/cancelled']);
  expect(
    await remote.request('x/y', {}, { signal: AbortSignal.abort('why') }).catch((e: unknown) => e),
  ).toSatisfy((error) => RxmcpError.is(error, 'CANCELLED'));
});

it('a signal that aborts after the result does nothing, and an aborted one emits nothing inside subscribe', async () => {
  const server = answering();
  const remote = await connected(server);
  const leaving = new AbortController();
  await remote.request('x/y', {}, { signal: leaving.signal });
  leaving.abort();
  await turn();
  expect(methods(server).includes('notifications/cancelled')).toBe(false);
  const events: string[] = [];
  remote.request('x/y', {}, { signal: leaving.signal }).subscribe({ error: () => events.push('error') });
  expect(events).toEqual([]);
  await turn();
  expect(events).toEqual(['error']);
});

it.each<[string, unknown, string]>([
  ['a promise', Promise.resolve(1), 'once: expected an Observable, got a promise: await it without "once"'],
  ['nothing', undefined, 'once: expected an Observable, got undefined'],
])('once rejects %s', (_what, given, message) => {
  expect(() => once(given as never)).toThrow(new TypeError(message));
});
