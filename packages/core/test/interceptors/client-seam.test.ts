import { concat, finalize, lastValueFrom, map, mergeMap, NEVER, of, retry, tap, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { RxmcpError, offerMethod, once, progressItem, RpcError } from '../../src/index.js';
import type { ResponseEvent, Interceptor } from '../../src/index.js';
import { withMeta } from '../../src/interceptors/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn, until } from '../rig/turn.js';
import { asking, roots } from './asking.js';
import { eras, pair } from './pair.js';

const echo = offerMethod('x/echo', {}, (params, ctx) => ({ params, meta: ctx.meta }));
const resultEvent = (result: object): ResponseEvent => ({ type: 'result', result: { ...result } });

describe.each(eras)('%s: interceptors of a client', (_era, version) => {
  it('wrap the logical call once, and each of its requests', async () => {
    const seen: string[] = [];
    const noting =
      (name: string): Interceptor =>
      ({ side, method, params }, next) => {
        const more = Object.keys(params).filter((key) => key !== '_meta' && key !== 'name');
        seen.push([name, side, method, ...more].join(' '));
        return next().pipe(
          tap((e) => seen.push(`${name} ${e.type === 'result' ? Object.keys(e.result)[0] : ''}`)),
        );
      };
    const client = { offers: [roots], interceptors: [noting('call')], attemptInterceptors: [noting('try')] };
    const { remote } = await pair(version, { offers: [asking] }, client);
    expect(await once(remote.request('tools/call', { name: 'x' }))).toEqual({ roots: [] });
    const rounds = [
      'try client tools/call',
      'try resultType',
      'try client tools/call inputResponses requestState',
    ];
    expect(seen).toEqual([
      'call client tools/call',
      ...(version < '2026' ? ['try client tools/call', 'try roots'] : [...rounds, 'try resultType']),
      'call roots',
    ]);
  });

  it.each(['interceptors', 'attemptInterceptors'] as const)(
    '%s change parameters, _meta and results',
    async (where) => {
      const changing: Interceptor = (exchange, next) => {
        expect(exchange.meta).toMatchObject({ 'x/mine': 1, 'x/given': 2 });
        return next(withMeta({ ...exchange.params, a: 2 }, { 'x/more': 3, 'x/given': 4 })).pipe(
          map((event) => (event.type === 'result' ? resultEvent({ ...event.result, more: true }) : event)),
        );
      };
      const { remote } = await pair(version, { offers: [echo] }, { [where]: [changing] });
      const params = { a: 1, _meta: { 'x/mine': 1 } };
      const result = await once(remote.request('x/echo', params, { meta: { 'x/given': 2 } }));
      const meta = { 'x/mine': 1, 'x/more': 3, 'x/given': 4 };
      expect(result).toMatchObject({ params: { a: 2 }, meta, more: true });
      expect(params).toEqual({ a: 1, _meta: { 'x/mine': 1 } });
    },
  );

  it.each(['interceptors', 'attemptInterceptors'] as const)(
    '%s see progress, and may send again',
    async (where) => {
      let runs = 0;
      const shaky = offerMethod('x/shaky', {}, () => {
        if (++runs < 3) throw new RpcError(-31999, 'again');
        return concat(of(progressItem(1, 2, 'half')), of({ runs }));
      });
      const seen: ResponseEvent[] = [];
      const again: Interceptor = (_exchange, next) =>
        next().pipe(
          retry(5),
          tap((event) => void (event.type === 'progress' && seen.push(event))),
        );
      const { remote } = await pair(version, { offers: [shaky] }, { [where]: [again] });
      const told = getRemoteLink(remote).events({ method: 'x/shaky', decode: (r) => r.runs });
      expect(await lastValueFrom(told.pipe(toArray()))).toEqual([
        { type: 'progress', progress: 1, total: 2, message: 'half' },
        { type: 'result', result: 3 },
      ]);
      expect(seen).toHaveLength(1);
    },
  );

  it('each page of a list is a call', async () => {
    const list = defineOffer({
      name: 'tools',
      side: 'server',
      capabilities: { tools: {} },
      methods: [
        {
          method: 'tools/list',
          handle: ({ cursor }) => ({ tools: [1], ...(cursor ? {} : { nextCursor: 'n' }) }),
        },
      ],
    });
    const cursors: unknown[] = [];
    const noting: Interceptor = ({ params }, next) => (cursors.push(params.cursor), next());
    const { remote } = await pair(version, { offers: [list] }, { interceptors: [noting] });
    const spec = {
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: (entry: unknown) => entry,
    };
    expect(await once(getRemoteLink(remote).pages(spec))).toEqual([1, 1]);
    expect(cursors).toEqual([undefined, 'n']);
  });
});

describe.each(['interceptors', 'attemptInterceptors'] as const)('%s and the rules of a call', (where) => {
  it('nothing is emitted inside subscribe, and all of it in order', async () => {
    const own: Interceptor = () =>
      of(
        { type: 'progress', progress: 1 } as const,
        { type: 'progress', progress: 2 } as const,
        resultEvent({ a: 1 }),
      );
    const remote = await connected(
      rawServer(() => undefined),
      { [where]: [own] },
    );
    const seen: unknown[] = [];
    getRemoteLink(remote)
      .events({ method: 'x/y', decode: (r) => r })
      .subscribe({ next: (e) => seen.push(e.type), complete: () => seen.push('complete') });
    expect(seen).toEqual([]);
    await turn();
    expect(seen).toEqual(['progress', 'progress', 'result', 'complete']);
  });

  it('leaving cancels exactly once and aborts the signal; after the end nothing is sent', async () => {
    const server = rawServer((frame) => (frame.method === 'x/quick' ? { result: {} } : undefined));
    const seen: string[] = [];
    const watching: Interceptor = ({ signal }, next) => {
      signal.addEventListener('abort', () => void seen.push('abort'));
      return next().pipe(finalize(() => void seen.push('left')));
    };
    const remote = await connected(server, { [where]: [watching] });
    const call = remote.request('x/hang').subscribe();
    await turn();
    call.unsubscribe();
    call.unsubscribe();
    await once(remote.request('x/quick'));
    await turn();
    expect(seen).toEqual(['left', 'abort', 'left']);
    expect(server.calls().map((f) => f.method)).toEqual(['x/hang', 'notifications/cancelled', 'x/quick']);
  });

  it('one that throws, ends without a result or never ends: one end each', async () => {
    const torn: string[] = [];
    const odd: Interceptor = ({ method }, next) => {
      if (method === 'x/throw') throw new TypeError('odd');
      if (method === 'x/empty') return next().pipe(mergeMap(() => []));
      if (method === 'x/twice') return concat(next(), next());
      return concat(next(), NEVER).pipe(finalize(() => void torn.push('torn')));
    };
    const remote = await connected(
      rawServer((frame) => ({ result: { id: frame.id } })),
      { [where]: [odd] },
    );
    const ends = async (method: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      remote.request(method).subscribe({
        next: () => seen.push('next'),
        error: (error: Error) => seen.push(error),
        complete: () => seen.push('complete'),
      });
      await until(() => seen.length > 0);
      await turn();
      return seen;
    };
    expect(await ends('x/throw')).toEqual([new TypeError('odd')]);
    expect(await ends('x/empty')).toEqual([
      expect.objectContaining({ code: 'NO_RESULT', outcome: 'unknown' }),
    ]);
    expect(await ends('x/twice')).toEqual(['next', 'complete']);
    expect(await ends('x/endless')).toEqual(['next', 'complete']);
    expect(torn).toEqual(['torn']);
  });

  it('a loss and a deadline are passed on unchanged', async () => {
    const server = rawServer(() => undefined, {}, { redialable: false });
    const seen: unknown[] = [];
    const watching: Interceptor = (_exchange, next) => next().pipe(tap({ error: (e) => void seen.push(e) }));
    const remote = await connected(server, { [where]: [watching] });
    const late = await once(remote.request('x/y', {}, { idleTimeoutMs: 5 })).catch((e: unknown) => e);
    expect(RxmcpError.is(late, 'TIMEOUT')).toBe(true);
    const cut = once(remote.request('x/y')).catch((e: unknown) => e);
    await turn();
    server.pipes[0]?.end();
    expect(await cut).toMatchObject({ outcome: 'unknown' });
    expect(seen).toHaveLength(2);
  });
});

it('no interceptor: a call runs directly', async () => {
  const { startRun } = await import('../../src/client/calls/start-run.js');
  const { CallRun } = await import('../../src/client/calls/run.js');
  const core = { core: {}, session: undefined, whenOpen: () => () => undefined, asking: new Set() };
  const run = startRun(
    core as never,
    { method: 'x/y' },
    { result: () => undefined, failed: () => undefined },
  );
  expect(run).toBeInstanceOf(CallRun);
});
