import { AsyncLocalStorage } from 'node:async_hooks';
import { asyncScheduler, delay, observeOn, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Interceptor, HandlerResult, Remote } from '../../src/index.js';
import { offerMethod, offerNotification, once } from '../../src/index.js';
import type { TraceContext } from '../../src/interceptors/index.js';
import { trace, readTraceContext, runInContext } from '../../src/interceptors/index.js';
import { until } from '../rig/turn.js';
import { eras, pair } from './pair.js';
import type { Value } from './ways.js';
import { ways } from './ways.js';

describe.each(eras)('%s: within', (_era, version) => {
  it.each(ways)('a handler keeps the value of its exchange over %s', async (_way, run) => {
    const storage = new AsyncLocalStorage<string>();
    const after: unknown[] = [];
    const slow: Interceptor = (_x, next) => next().pipe(tap(() => void after.push(storage.getStore())));
    const read = (): Value => ({ who: storage.getStore() });
    const offers = [offerMethod('x/who', {}, () => run(read))];
    const interceptors = [runInContext(storage, ({ params }) => String(params.who)), slow];
    const { remote } = await pair(version, { offers, interceptors });
    const who = (name: string) => once(remote.request('x/who', { who: name }));
    expect(await Promise.all([who('ada'), who('bob')])).toMatchObject([{ who: 'ada' }, { who: 'bob' }]);
    expect(after).toEqual(['ada', 'bob']);
  });

  it('a caller finds its own value in what its call emits, over any hop', async () => {
    const storage = new AsyncLocalStorage<string>();
    const offers = [offerMethod('x/y', {}, () => ({}))];
    const { remote } = await pair(version, { offers }, { interceptors: [runInContext(storage)] });
    const seen: unknown[] = [];
    for (const name of ['ada', 'bob']) {
      storage.run(name, () => {
        const note = { next: () => void seen.push(`${name} ${storage.getStore()}`) };
        remote.request('x/y').subscribe(note);
        remote.request('x/y').pipe(observeOn(asyncScheduler), delay(1)).subscribe(note);
      });
    }
    await until(() => seen.length === 4);
    expect(new Set(seen)).toEqual(new Set(['ada ada', 'bob bob']));
  });
});

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const sent = { traceparent, tracestate: 'a=1', baggage: 'user=ada' };

describe.each(eras)('%s: trace', (_era, version) => {
  const nested = async () => {
    const storage = new AsyncLocalStorage<TraceContext | undefined>();
    const options = { interceptors: [trace({ storage })] };
    const back = await pair(
      version,
      { offers: [offerMethod('x/meta', {}, (_p, ctx) => ({ meta: ctx.meta }))] },
      options,
    );
    return { storage, back: back.remote, options };
  };
  const front = (remote: Remote, options: object, run: (go: () => Value) => HandlerResult<Value>) =>
    pair(version, {
      offers: [
        offerMethod('x/front', {}, () => run(() => once(remote.request('x/meta')) as unknown as Value)),
      ],
      ...options,
    });

  it.each(ways)('continues into calls that a handler makes, over %s', async (_way, run) => {
    const { back, options } = await nested();
    const { remote } = await front(back, options, async (go) => {
      const output = run(go);
      const gone = await (typeof output === 'object' && 'subscribe' in output
        ? once(output as never)
        : typeof output === 'object' && Symbol.asyncIterator in output
          ? (output as AsyncGenerator<Value>).next().then(({ value }) => value as Value)
          : output);
      return gone as Value;
    });
    const [traced, plain] = await Promise.all([
      once(remote.request('x/front', {}, { meta: sent })),
      once(remote.request('x/front')),
    ]);
    expect(traced.meta).toMatchObject(sent);
    expect(plain.meta).not.toHaveProperty('traceparent');
  });

  it('a call keeps its own trace', async () => {
    const { back, storage } = await nested();
    const own = { traceparent: traceparent.replace('0af7', '1af7') };
    const result = await storage.run(sent, () => once(back.request('x/meta', {}, { meta: own })));
    expect(result.meta).toMatchObject(own);
    expect(result.meta).not.toHaveProperty('baggage');
  });
});

it('readTraceContext accepts well-formed values only', () => {
  expect(readTraceContext({ ...sent, other: 1 })).toEqual(sent);
  expect(readTraceContext({ traceparent, tracestate: 'x'.repeat(513), baggage: 7 })).toEqual({ traceparent });
  for (const bad of [
    '',
    7,
    undefined,
    traceparent.replace('00-', 'ff-'),
    traceparent.replace(/b7.{14}/, '0'.repeat(16)),
  ])
    expect(readTraceContext({ traceparent: bad })).toBeUndefined();
});

it('a handler behind interceptors notifies its client', async () => {
  const tell = offerMethod('x/tell', {}, (_params, ctx) => {
    ctx.notify('x/told', { n: 1 });
    return {};
  });
  const pass: Interceptor = (_exchange, next) => next();
  const told: unknown[] = [];
  const offers = [offerNotification('x/told', ({ n }) => void told.push(n))];
  const { remote } = await pair('2025-11-25', { offers: [tell], interceptors: [pass] }, { offers });
  await once(remote.request('x/tell'));
  await until(() => told.length > 0);
  expect(told).toEqual([1]);
});
