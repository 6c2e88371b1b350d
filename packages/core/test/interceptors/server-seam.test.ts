import {
  concat,
  finalize,
  lastValueFrom,
  map,
  mergeMap,
  NEVER,
  of,
  race,
  retry,
  tap,
  throwError,
  timer,
  toArray,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { logItem, RxmcpError, offerMethod, once, progressItem, RpcError } from '../../src/index.js';
import type { ResponseEvent, Interceptor } from '../../src/index.js';
import { defineOffer, getRemoteLink, PreparedResult } from '../../src/internal.js';
import { turn, until } from '../rig/turn.js';
import { asking, roots } from './asking.js';
import { eras, pair } from './pair.js';

const echo = offerMethod('x/echo', {}, (params, ctx) => ({ params, meta: ctx.meta }));
const events = (remote: Parameters<typeof getRemoteLink>[0], method: string) =>
  lastValueFrom(
    getRemoteLink(remote)
      .events({ method, decode: (r) => r })
      .pipe(toArray()),
  );

describe.each(eras)('%s: interceptors of a server', (_era, version) => {
  it('see method, parameters, caller and version, the first of them outermost', async () => {
    const seen: unknown[] = [];
    const noting =
      (name: string): Interceptor =>
      (exchange, next) => {
        const { side, method, caller, params } = exchange;
        seen.push([name, side, method, exchange.version, caller.principal, params.a]);
        return next().pipe(tap((event) => seen.push([name, event.type])));
      };
    const interceptors = [noting('outer'), noting('inner')];
    const { remote } = await pair(version, { offers: [echo], interceptors }, {}, 'ada');
    await once(remote.request('x/echo', { a: 1 }));
    expect(seen).toEqual([
      ['outer', 'server', 'x/echo', version, 'ada', 1],
      ['inner', 'server', 'x/echo', version, 'ada', 1],
      ['inner', 'result'],
      ['outer', 'result'],
    ]);
  });

  it('change parameters, _meta among them, and results', async () => {
    const changing: Interceptor = (exchange, next) =>
      next({ ...exchange.params, a: 2, _meta: { ...exchange.meta, 'x/m': 1 } }).pipe(
        map((event) =>
          event.type === 'result' ? { ...event, result: { ...event.result, more: true } } : event,
        ),
      );
    const { remote } = await pair(version, { offers: [echo], interceptors: [changing] });
    const result = await once(remote.request('x/echo', { a: 1 }));
    expect(result).toMatchObject({ params: { a: 2 }, meta: { 'x/m': 1 }, more: true });
  });

  it('answer without the handler, and refuse with an error', async () => {
    let ran = 0;
    const counting = offerMethod('x/run', {}, () => ({ ran: ++ran }));
    const guarding: Interceptor = ({ params }, next) => {
      if (params.how === 'answer') return of({ type: 'result', result: { mine: true } });
      if (params.how === 'refuse')
        return throwError(() => new RpcError(-31001, 'later', { retryable: true, retryAfterMs: 5 }));
      if (params.how === 'throw') throw new RxmcpError('INVALID_PARAMS', 'bad');
      return next();
    };
    const { remote } = await pair(version, { offers: [counting], interceptors: [guarding] });
    const how = (what: string) => once(remote.request('x/run', { how: what })).catch((e: unknown) => e);
    expect(await how('answer')).toEqual({ mine: true });
    expect(await how('refuse')).toMatchObject({ code: -31001, retryable: true, data: { retryAfterMs: 5 } });
    expect(await how('throw')).toMatchObject({ code: -32602, message: 'bad' });
    expect(ran).toBe(0);
    expect(await how('pass')).toEqual({ ran: 1 });
  });

  it('see progress and logs, whether a handler emits or reports them', async () => {
    const telling = offerMethod('x/tell', {}, (_params, ctx) => {
      ctx.progress(1, 4, 'reported');
      return concat(
        of(progressItem(2, 4), logItem('info', 'emitted')),
        timer(1).pipe(
          tap(() => ctx.progress(3)),
          map(() => ({ ok: true })),
        ),
      );
    });
    const seen: ResponseEvent[] = [];
    const watching: Interceptor = (_exchange, next) => next().pipe(tap((event) => void seen.push(event)));
    const { remote } = await pair(version, { offers: [telling], interceptors: [watching] });
    const out = await events(remote, 'x/tell');
    expect(seen).toEqual([
      { type: 'progress', progress: 1, total: 4, message: 'reported' },
      { type: 'progress', progress: 2, total: 4 },
      { type: 'log', level: 'info', data: 'emitted' },
      { type: 'progress', progress: 3 },
      { type: 'result', result: { ok: true } },
    ]);
    expect(out.map((event) => event.type)).toEqual(['progress', 'progress', 'progress', 'result']);
  });

  it('may subscribe again: each time the handler runs anew', async () => {
    let runs = 0;
    const shaky = offerMethod('x/shaky', {}, () => {
      if (++runs < 3) throw new RpcError(-31999, 'again');
      return { runs };
    });
    const again: Interceptor = (_exchange, next) => next().pipe(retry(5));
    const { remote } = await pair(version, { offers: [shaky], interceptors: [again] });
    expect(await once(remote.request('x/shaky'))).toEqual({ runs: 3 });
  });

  it('a cancel reaches the handler, exactly once', async () => {
    const seen: string[] = [];
    const hang = offerMethod('x/hang', {}, (_params, ctx) => {
      ctx.signal.addEventListener('abort', () => void seen.push('abort'));
      return NEVER.pipe(finalize(() => void seen.push('handler')));
    });
    const watching: Interceptor = (_exchange, next) => next().pipe(finalize(() => void seen.push('outer')));
    const { remote } = await pair(version, { offers: [hang, echo], interceptors: [watching] });
    const call = remote.request('x/hang').subscribe();
    await turn();
    call.unsubscribe();
    await until(() => seen.length > 2);
    await once(remote.request('x/echo'));
    expect(seen.slice(0, 3)).toEqual(['handler', 'outer', 'abort']);
    expect(seen).toHaveLength(4); // the fourth is the echo's own outer
  });

  it('one that unsubscribes from the handler aborts its signal; a cancel aborts that of a handler as well', async () => {
    const reasons: unknown[] = [];
    const hanging = offerMethod('x/hang', {}, (_params, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return new Promise<never>(() => undefined);
    });
    let leave = true;
    const leaving: Interceptor = (_exchange, next) =>
      leave ? race(next(), timer(0).pipe(map(own))) : next();
    const own = (): ResponseEvent => ({ type: 'result', result: { left: true } });
    const { remote } = await pair(version, { offers: [hanging], interceptors: [leaving] });
    expect(await once(remote.request('x/hang'))).toMatchObject({ left: true });
    expect(reasons).toMatchObject([
      { code: 'CANCELLED', message: 'an interceptor unsubscribed from "x/hang"' },
    ]);
    leave = false;
    const call = remote.request('x/hang').subscribe();
    await turn();
    call.unsubscribe();
    await until(() => reasons.length === 2);
    expect(reasons[1]).toMatchObject({ code: 'CANCELLED' });
  });

  it('one that never completes after its result, or completes without one, ends the call once', async () => {
    const torn: string[] = [];
    const odd: Interceptor = ({ params }, next) => {
      if (params.how === 'hang') return concat(next(), NEVER).pipe(finalize(() => void torn.push('hang')));
      if (params.how === 'twice') return concat(next(), next());
      if (params.how === 'empty') return next().pipe(mergeMap(() => []));
      return of('nonsense' as unknown as ResponseEvent);
    };
    const { remote } = await pair(version, { offers: [echo], interceptors: [odd] });
    const how = (what: string) => once(remote.request('x/echo', { how: what })).catch((e: unknown) => e);
    expect(await how('hang')).toMatchObject({ params: { how: 'hang' } });
    expect(torn).toEqual(['hang']);
    expect(await how('twice')).toMatchObject({ params: { how: 'twice' } });
    expect(await how('empty')).toMatchObject({ code: -32603 });
    expect(await how('nonsense')).toMatchObject({ code: -32603 });
  });

  it('a prepared result is sent with its text unless it was changed', async () => {
    let made = 0;
    const tool = { toJSON: () => ((made += 1), { name: 'a' }) };
    const list = new PreparedResult({ tools: [tool] });
    const offer = defineOffer({
      name: 'x',
      side: 'server',
      capabilities: {},
      methods: [{ method: 'x/list', handle: () => list }],
    });
    const passing: Interceptor = (_exchange, next) => next().pipe(map((event) => ({ ...event })));
    const { remote } = await pair(version, { offers: [offer], interceptors: [passing] });
    for (let i = 0; i < 2; i += 1)
      expect(await once(remote.request('x/list'))).toEqual({ tools: [{ name: 'a' }] });
    expect(made).toBe(1);
  });

  it('a handler behind them asks its client; a run that waits for the answer is distinguishable', async () => {
    const runs: string[] = [];
    const watching: Interceptor = (exchange, next) => {
      let ended = false;
      return next().pipe(
        tap(() => (ended = true)),
        finalize(() => void runs.push(ended ? 'result' : exchange.inputRequired ? 'asking' : 'left')),
      );
    };
    const options = { offers: [asking], interceptors: [watching] };
    const { remote } = await pair(version, options, { offers: [roots] });
    expect(await once(remote.request('tools/call', { name: 'x' }))).toEqual({ roots: [] });
    await turn();
    expect(runs).toEqual(version < '2026' ? ['result'] : ['asking', 'result']);
  });
});

it('no interceptor: the methods of the offers are served directly', async () => {
  const { intercept } = await import('../../src/interceptors/intercept.js');
  const methods = new Map([['x/echo', { method: 'x/echo', handle: () => ({}) }]]);
  expect(intercept(methods, [], {})).toBe(methods);
});
