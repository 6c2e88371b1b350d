import type { Observable } from 'rxjs';
import { firstValueFrom, race, retry, Subject, switchMap, takeUntil, timeout, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { RxmcpError, once, RpcError } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import type { RawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';

const silent = () => rawServer(() => undefined);
const answering = () => rawServer((frame) => ({ result: { id: frame.id } }));
const failing = () => rawServer(() => ({ error: { code: -31999, message: 'no' } }));
const methods = (server: RawServer) => server.calls().map((f) => f.method);
const ids = (server: RawServer) => server.calls().map((f) => f.id);

describe('call, on subscribe: one request per round with a new id each time', () => {
  it('sends nothing before it is subscribed', async () => {
    const server = answering();
    const remote = await connected(server);
    remote.request('x/y');
    await turn();
    expect(methods(server)).toEqual([]);
  });

  it('sends again for every subscriber', async () => {
    const server = answering();
    const call = (await connected(server)).request('x/y');
    await Promise.all([once(call), once(call)]);
    expect(methods(server)).toEqual(['x/y', 'x/y']);
    expect(new Set(ids(server)).size).toBe(2);
  });

  it('never emits inside subscribe, not even errors', async () => {
    const remote = await connected(silent(), { limits: { maxCallsInFlight: 1 } });
    const inside: string[] = [];
    let subscribing = false;
    const note = (what: string) => () => void (subscribing && inside.push(what));
    const observer = { next: note('next'), error: note('error'), complete: note('complete') };
    const calls: Observable<unknown>[] = [
      remote.request('x/y'),
      remote.request(undefined as never),
      remote.request('x/y', 'no' as never),
      getRemoteLink(remote).call({ method: 'a/b', capability: 'none', decode: (r) => r }),
      getRemoteLink(remote).pages({ method: 'a/b', member: 'x', capability: 'none', decode: (r) => r }),
      getRemoteLink(remote).setLogLevel('info'),
    ];
    const subscribe = async (): Promise<void> => {
      for (const call of calls) {
        subscribing = true;
        call.subscribe(observer);
        subscribing = false;
        await turn(1);
      }
    };
    await subscribe();
    await remote.close();
    await subscribe();
    expect(inside).toEqual([]);
  });
});

it('call, replay: none', async () => {
  const server = answering();
  const call = (await connected(server)).request<{ id: number }>('x/y');
  const first = await once(call);
  expect((await once(call)).id).not.toBe(first.id);
});

it('call, completes: right after the one result', async () => {
  const remote = await connected(answering());
  const seen: string[] = [];
  remote.request('x/y').subscribe({ next: () => seen.push('next'), complete: () => seen.push('complete') });
  await until(() => seen.length > 0);
  expect(seen).toEqual(['next', 'complete']);
});

describe('call, errors: with their outcome', () => {
  it('an error of the peer has outcome answered', async () => {
    const error: unknown = await once((await connected(failing())).request('x/y')).catch((e: unknown) => e);
    expect(RpcError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: -31999, outcome: 'answered' });
  });

  it('a loss has outcome unknown, and names the call', async () => {
    const server = rawServer(() => undefined, {}, { redialable: false });
    const call = once((await connected(server)).request('x/y'));
    await turn();
    server.pipes[0]?.end(lost());
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await expect(call).rejects.toThrow('"x/y"');
  });

  it('after the end it was not sent', async () => {
    const server = rawServer(() => undefined, {}, { redialable: false });
    const remote = await connected(server);
    server.pipes[0]?.end(lost());
    await turn();
    await expect(once(remote.request('x/y'))).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      outcome: 'not-sent',
    });
  });

  it('a call that is too large is not sent', async () => {
    const remote = await connected(rawServer(() => undefined, {}, { maxMessageBytes: 2_000 }));
    await expect(once(remote.request('x/y', { a: 'x'.repeat(3_000) }))).rejects.toMatchObject({
      code: 'TOO_LARGE',
      outcome: 'not-sent',
    });
  });

  it.each([[undefined], [null], [42], ['']])('a method %j arrives as an error', async (method) => {
    const server = silent();
    const remote = await connected(server);
    await expect(once(remote.request(method as never))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(methods(server)).toEqual([]);
  });

  it.each([[null], ['text'], [[1]], [7]])('parameters %j arrive as an error', async (params) => {
    const server = silent();
    const remote = await connected(server);
    await expect(once(remote.request('x/y', params as never))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    expect(methods(server)).toEqual([]);
  });

  it('parameters that are not JSON arrive as an error', async () => {
    const remote = await connected(silent());
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const params of [cycle, { big: 1n }])
      await expect(once(remote.request('x/y', params))).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  it('a checker of results that throws is the end of the call', async () => {
    const remote = await connected(answering());
    const validate = (): never => {
      throw new Error('cannot check');
    };
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
    await expect(once(remote.request('x/y', {}, { schema }))).rejects.toThrow('cannot check');
  });

  it('row 15: a response with both result and error is a broken protocol', async () => {
    const server = rawServer(() => ({ result: {}, error: { code: 1, message: 'x' } }));
    const error: unknown = await once((await connected(server)).request('x/y')).catch((e: unknown) => e);
    expect(RxmcpError.is(error, 'PROTOCOL_ERROR')).toBe(true);
  });

  it('row 16: a response with the id as a string answers no request', async () => {
    const server = rawServer((frame, wire) => {
      wire.put({ jsonrpc: '2.0', id: String(frame.id), result: { wrong: 1 } });
      return { result: { right: 1 } };
    });
    const remote = await connected(server);
    remote.faults$.subscribe();
    expect(await once(remote.request('x/y'))).toMatchObject({ right: 1 });
    const fault = await firstValueFrom(remote.faults$);
    expect(fault.code).toBe('UNKNOWN_RESPONSE');
  });
});

describe('call, on unsubscribe', () => {
  it('before the result: cancels once, at once', async () => {
    const server = silent();
    const remote = await connected(server);
    remote.request('x/y').subscribe().unsubscribe();
    expect(methods(server)).toEqual(['x/y', 'notifications/cancelled']);
    expect(server.calls()[1]?.params?.['requestId']).toBe(server.calls()[0]?.id);
  });

  it('after the result: nothing', async () => {
    const server = answering();
    const remote = await connected(server);
    const subscription = remote.request('x/y').subscribe();
    await turn();
    subscription.unsubscribe();
    await turn();
    expect(methods(server)).toEqual(['x/y']);
  });
});

describe('operators of RxJS on the wire', () => {
  it('race: the loser is cancelled', async () => {
    const server = rawServer((frame) => (frame.method === 'x/fast' ? { result: { fast: 1 } } : undefined));
    const remote = await connected(server);
    expect(await firstValueFrom(race(remote.request('x/slow'), remote.request('x/fast')))).toMatchObject({
      fast: 1,
    });
    expect(methods(server)).toEqual(['x/slow', 'x/fast', 'notifications/cancelled']);
    expect(server.calls()[2]?.params?.['requestId']).toBe(server.calls()[0]?.id);
  });

  it('switchMap: the call before is cancelled, then the next is sent', async () => {
    const server = silent();
    const remote = await connected(server);
    const terms = new Subject<string>();
    const subscription = terms.pipe(switchMap((q) => remote.request('x/find', { q }))).subscribe();
    terms.next('a');
    terms.next('b');
    subscription.unsubscribe();
    const cancelled = 'notifications/cancelled';
    expect(methods(server)).toEqual(['x/find', cancelled, 'x/find', cancelled]);
  });

  it('timeout: cancels', async () => {
    const server = silent();
    const remote = await connected(server);
    await expect(firstValueFrom(remote.request('x/y').pipe(timeout(5)))).rejects.toThrow();
    expect(methods(server)).toEqual(['x/y', 'notifications/cancelled']);
  });

  it('retry: sends a new request under a new id', async () => {
    let n = 0;
    const server = rawServer(() =>
      ++n < 3 ? { error: { code: -31001, message: 'busy' } } : { result: { n } },
    );
    const remote = await connected(server);
    expect(await firstValueFrom(remote.request('x/y').pipe(retry(2)))).toMatchObject({ n: 3 });
    expect(new Set(ids(server)).size).toBe(3);
    expect(methods(server)).toEqual(['x/y', 'x/y', 'x/y']);
  });

  it('takeUntil: cancels', async () => {
    const server = silent();
    const remote = await connected(server);
    await new Promise<void>((complete) => {
      remote
        .request('x/y')
        .pipe(takeUntil(timer(5)))
        .subscribe({ complete });
    });
    expect(methods(server)).toEqual(['x/y', 'notifications/cancelled']);
  });
});

describe('pages', () => {
  const spec = { method: 'tools/list', member: 'tools', capability: 'tools', decode: (e: unknown) => e };
  const paged = (next: (cursor: unknown) => unknown) =>
    rawServer(
      (frame) => ({
        result: { tools: [frame.params?.['cursor'] ?? 'first'], nextCursor: next(frame.params?.['cursor']) },
      }),
      { capabilities: { tools: {} } },
    );

  it('the empty string is a cursor; the absent one ends the list', async () => {
    const server = paged((cursor) => (cursor === undefined ? '' : undefined));
    expect(await once(getRemoteLink(await connected(server)).pages(spec))).toEqual(['first', '']);
  });

  it('row 51: a cursor that repeats, or more than 192 pages, ends it with an error', async () => {
    const repeating = await connected(paged(() => 'again'));
    await expect(once(getRemoteLink(repeating).pages(spec))).rejects.toThrow('repeats a cursor');
    let n = 0;
    const endless = paged(() => String((n += 1)));
    await expect(once(getRemoteLink(await connected(endless)).pages(spec))).rejects.toThrow('192 pages');
    expect(methods(endless)).toHaveLength(192);
  });

  it('unsubscribing between pages cancels the page under way and requests no other', async () => {
    const server = rawServer(
      (frame) =>
        frame.params?.['cursor'] === undefined ? { result: { tools: [], nextCursor: 'b' } } : undefined,
      {
        capabilities: { tools: {} },
      },
    );
    const subscription = getRemoteLink(await connected(server))
      .pages(spec)
      .subscribe();
    await until(() => methods(server).length === 2);
    subscription.unsubscribe();
    await turn();
    expect(methods(server)).toEqual(['tools/list', 'tools/list', 'notifications/cancelled']);
  });

  it('without the capability it is empty, and nothing is sent', async () => {
    const server = silent();
    expect(await once(getRemoteLink(await connected(server)).pages(spec))).toEqual([]);
    expect(methods(server)).toEqual([]);
  });
});
