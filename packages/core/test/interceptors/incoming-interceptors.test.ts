import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { Context, Interceptor, Offer, HandlerResult } from '../../src/index.js';
import { defineClient, RxmcpError, offerMethod, once } from '../../src/index.js';
import type { TraceContext } from '../../src/interceptors/index.js';
import { audit, cache, retry, trace, readTraceContext, runInContext } from '../../src/interceptors/index.js';
import { sendAsk, defineOffer } from '../../src/internal.js';
import { eras, pair } from './pair.js';
import type { Value } from './ways.js';
import { ways } from './ways.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const sent = { traceparent, tracestate: 'a=1', baggage: 'user=ada' };

/** A server whose tool asks the model of its client, with these parameters. */
const asking = (params: Value = {}, key = 'k') => [
  offerMethod('tools/call', {}, async (_given, ctx) => ({
    answer: await sendAsk(ctx, key, { method: 'sampling/createMessage', params, needs: {} }),
  })),
];
/** What answers it. */
const answering = (run: (ctx: Context) => HandlerResult<Value>): Offer[] => [
  defineOffer({
    name: 'sampling',
    side: 'client',
    capabilities: { sampling: {} },
    methods: [{ method: 'sampling/createMessage', handle: (_params, ctx) => run(ctx) }],
  }),
];

describe.each(eras)('%s: the answers of a client', (_era, version) => {
  it.each(ways)('runs within the trace of the request that asked, over %s', async (_way, run) => {
    const storage = new AsyncLocalStorage<TraceContext | undefined>();
    const offers = answering((ctx) =>
      run(() => ({ store: storage.getStore() ?? null, meta: readTraceContext(ctx.meta) ?? null })),
    );
    const { remote } = await pair(
      version,
      { offers: asking() },
      { offers, incomingInterceptors: [trace({ storage })] },
    );
    const call = (meta?: Value) => once(remote.request('tools/call', {}, meta === undefined ? {} : { meta }));
    const other = { traceparent: traceparent.replace('0af7', '1af7') };
    const [one, two, none] = await Promise.all([call(sent), call(other), call()]);
    expect(one.answer).toMatchObject({ store: sent, meta: sent });
    expect(two.answer).toMatchObject({ store: other, meta: other });
    expect(none.answer).toMatchObject({ store: null, meta: null });
    expect(storage.getStore()).toBeUndefined();
  });

  it.each(ways)('runs within a value that it chooses, over %s', async (_way, run) => {
    const storage = new AsyncLocalStorage<string>();
    const offers = answering(() => run(() => ({ who: storage.getStore() })));
    const asks = [runInContext(storage, ({ params }) => String(params.who))];
    const { remote } = await pair(
      version,
      { offers: asking({ who: 'ada' }) },
      { offers, incomingInterceptors: asks },
    );
    expect((await once(remote.request('tools/call'))).answer).toMatchObject({ who: 'ada' });
  });

  it('an ask keeps its own trace', async () => {
    const own = { traceparent: traceparent.replace('0af7', '2af7') };
    const offers = answering((ctx) => ({ meta: readTraceContext(ctx.meta) }));
    const { remote } = await pair(version, { offers: asking({ _meta: own }) }, { offers });
    const { answer } = await once(remote.request('tools/call', {}, { meta: sent }));
    expect(answer).toMatchObject({ meta: own });
  });

  it('is seen, changed and refused by interceptors like a served request', async () => {
    const records: string[] = [];
    const asks: Interceptor[] = [
      audit({ record: ({ side, method, status }) => void records.push(`${side} ${method} ${status}`) }),
      (exchange, next) => {
        if (exchange.params.refused === true) throw new RxmcpError('ASK_REJECTED', 'not now');
        return next({ ...exchange.params, _meta: { changed: true } });
      },
    ];
    const offers = answering((ctx) => ({ changed: ctx.meta.changed, who: ctx.caller.info?.name }));
    const good = await pair(version, { offers: asking() }, { offers, incomingInterceptors: asks });
    const { answer } = await once(good.remote.request('tools/call'));
    expect(answer).toMatchObject({ changed: true, who: 's' });
    const bad = await pair(
      version,
      { offers: asking({ refused: true }) },
      { offers, incomingInterceptors: asks },
    );
    await expect(once(bad.remote.request('tools/call'))).rejects.toThrow('not now');
    expect(records).toEqual(['server sampling/createMessage ok', 'server sampling/createMessage failed']);
  });

  it('is torn down within its value when the call is cancelled', async () => {
    const storage = new AsyncLocalStorage<TraceContext | undefined>();
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const left = new Promise<unknown>((resolve) => {
      const offers = answering(() => ({
        subscribe: () => {
          begun();
          return { unsubscribe: () => resolve(storage.getStore()) };
        },
      }));
      void pair(version, { offers: asking() }, { offers, incomingInterceptors: [trace({ storage })] }).then(
        async ({ remote }) => {
          const call = remote.request('tools/call', {}, { meta: sent }).subscribe();
          await running;
          call.unsubscribe();
        },
      );
    });
    expect(await left).toEqual(sent);
  });
});

it('2025-11-25: custom methods run within the trace that came with them', async () => {
  const storage = new AsyncLocalStorage<TraceContext | undefined>();
  const offers = [offerMethod('x/back', {}, () => ({ store: storage.getStore() }))];
  const front = offerMethod('x/front', {}, (_params, ctx) => ctx.request('x/back', { _meta: ctx.meta }));
  const { remote } = await pair(
    '2025-11-25',
    { offers: [front] },
    { offers, incomingInterceptors: [trace({ storage })] },
  );
  expect(await once(remote.request('x/front', {}, { meta: sent }))).toMatchObject({ store: sent });
});

it('rejects interceptors that are for calls only', () => {
  const info = { name: 'c', version: '1' };
  for (const asks of [[cache()], [retry()]])
    expect(() => defineClient({ info, incomingInterceptors: asks })).toThrow(
      /^(?:cache|retry) cannot be one of the incomingInterceptors of a client: it is for the calls of a client$/,
    );
});
