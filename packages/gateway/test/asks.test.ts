import type { CallEvent, Context, JsonObject, Offer } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, RxmcpError, text } from '@rxmcp/core';
import { awaitableEvents } from '@rxmcp/core/internal';
import { elicit, offerElicitation } from '@rxmcp/elicitation';
import type { MemoryTransport } from '@rxmcp/memory';
import { memory } from '@rxmcp/memory';
import { listRoots, offerRoots } from '@rxmcp/roots';
import { offerSampling, sample, trySample } from '@rxmcp/sampling';
import { offerTools, tool, tools } from '@rxmcp/tools';
import { firstValueFrom, from, map, NEVER, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ForwardedCall } from '../src/forwarded-call.js';
import { offerRemote, relayAsks } from '../src/index.js';
import { InnerServer } from '../src/inner-server.js';
import { WaitingRequest } from '../src/held-calls.js';
import { jsonSchema } from './json-schema.js';
import { connected, info, legacy, modern, pairs, served } from './rig.js';

const sizes = jsonSchema({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });

/** An inner server whose tools ask; `runs` counts how often a handler begins. */
function asking(): { readonly offers: readonly Offer[]; readonly runs: string[] } {
  const runs: string[] = [];
  const run = (name: string, handle: (ctx: Context) => Promise<unknown>) =>
    tool(name, async (_args, ctx) => {
      runs.push(name);
      ctx.progress(1);
      return JSON.stringify(await handle(ctx));
    });
  const offers = [
    offerTools([
      run('size', async (ctx) => elicit(ctx, { message: 'Which size?', schema: sizes })),
      run('twice', async (ctx) => [
        await elicit(ctx, 'one', { message: 'One?', schema: sizes }),
        await elicit(ctx, 'two', { message: 'Two?', schema: sizes }),
      ]),
      run('model', async (ctx) => {
        const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }] as const;
        return (await sample(ctx, { messages, maxTokens: 5 })).content;
      }),
      run('roots', (ctx) => listRoots(ctx)),
      run('fallback', async (ctx) => [
        await listRoots(ctx).catch((error: unknown) => (error as RxmcpError).code),
        (await trySample(ctx, { messages: [{ role: 'user', content: text('Hi') }], maxTokens: 5 })).status,
      ]),
    ]),
  ];
  return { offers, runs };
}

interface User {
  readonly offers: readonly Offer[];
  readonly asked: JsonObject[];
}

function user(size = 'M'): User {
  const asked: JsonObject[] = [];
  const offers = [
    offerElicitation((request, ctx) => {
      asked.push({ message: request.message, server: ctx.meta['rxmcp/server'] });
      return { action: 'accept', content: { size } };
    }),
    offerSampling(
      (_request, ctx) => {
        asked.push({ server: ctx.meta['rxmcp/server'] });
        return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'test' };
      },
      { approve: 'dangerouslyAlways' },
    ),
    offerRoots([{ uri: 'file:///home', name: 'home' }]),
  ];
  return { offers, asked };
}

const textOf = async (called: PromiseLike<{ readonly content: readonly object[] }>): Promise<unknown> =>
  JSON.parse((await called).content.map((block) => (block as { text: string }).text).join(''));

describe.each(pairs)('asks, outer %s, inner %s', (outerVersion, innerVersion) => {
  const rig = async (own = user(), inner = asking()) => {
    const remote = await connected(served('shop', inner.offers), innerVersion, [relayAsks()]);
    const outer = served('gateway', offerRemote(remote, { prefix: 'a' }));
    return { ...inner, own, outer, inner: remote, remote: await connected(outer, outerVersion, own.offers) };
  };
  const rounds = innerVersion === legacy ? 1 : 2;

  it('elicitation reaches the user, with the name of the server, and each handler runs as without a gateway', async () => {
    const { remote, own, runs } = await rig();
    const result = await textOf(once(tools(remote).call('a-size')));
    expect(result).toEqual({ action: 'accept', content: { size: 'M' } });
    expect(own.asked).toEqual([{ message: 'a: Which size?', server: 'a' }]);
    expect(runs).toHaveLength(rounds);
  });

  it('several in one call', async () => {
    const { remote, own, runs } = await rig();
    await once(tools(remote).call('a-twice'));
    expect(own.asked.map(({ message }) => message)).toEqual(['a: One?', 'a: Two?']);
    expect(runs).toHaveLength(innerVersion === legacy ? 1 : 3);
  });

  it('sampling and roots', async () => {
    const { remote, own } = await rig();
    expect(await textOf(once(tools(remote).call('a-model')))).toMatchObject({ text: 'Hello' });
    expect(own.asked).toEqual([{ server: 'a' }]);
    const received: string[] = [];
    remote.wire$.subscribe(({ direction, message }) => {
      if (direction === 'in') received.push(JSON.stringify(message));
    });
    expect(await textOf(once(tools(remote).call('a-roots')))).toMatchObject([{ uri: 'file:///home' }]);
    const [asked] = received.filter((text) => text.includes('roots/list'));
    expect(asked).toContain('"rxmcp/server":"a"');
  });

  it('each of two calls of one client has its answers', async () => {
    const { remote, own } = await rig();
    const [one, two] = await Promise.all([
      textOf(once(tools(remote).call('a-size'))),
      textOf(once(tools(remote).call('a-twice'))),
    ]);
    expect(one).toMatchObject({ action: 'accept' });
    expect(two).toMatchObject([{ action: 'accept' }, { action: 'accept' }]);
    // An ask of the legacy era names no call: its user may see one again when the call that it went to ends first.
    if (innerVersion === modern) expect(own.asked).toHaveLength(3);
    else expect(own.asked.length).toBeGreaterThanOrEqual(3);
  });

  it('a client without roots or a model is asked for none, as without a gateway', async () => {
    const { inner, remote } = await rig({ offers: [], asked: [] });
    const sent: unknown[] = [];
    inner.wire$.subscribe(({ direction, message }) => {
      if (direction === 'in') sent.push((message as { method?: string }).method);
    });
    const seen = await textOf(once(tools(remote).call('a-fallback')));
    expect(seen).toEqual(['ASK_UNAVAILABLE', 'unsupported']);
    expect(sent.includes('roots/list')).toBe(innerVersion === legacy);
  });

  it('a client that cannot answer receives an error', async () => {
    const { remote } = await rig({ offers: [], asked: [] });
    await expect(once(tools(remote).call('a-size'))).rejects.toMatchObject({ name: 'RpcError' });
  });
});

it('an ask that names no call, while calls of two clients are open, goes to neither', async () => {
  const waiting$ = new Subject<void>();
  const go$ = new Subject<void>();
  const inner = served('shop', [
    offerTools([
      tool('wait', () => {
        waiting$.next();
        return firstValueFrom(go$).then(() => 'done');
      }),
      ...[
        tool('ask', async (_args, ctx) => JSON.stringify(await elicit(ctx, { message: '?', schema: sizes }))),
      ],
    ]),
  ]);
  const outer = served('gateway', offerRemote(await connected(inner, legacy, [relayAsks()])));
  const [one, two] = [user(), user()];
  const [a, b] = [await connected(outer, legacy, one.offers), await connected(outer, legacy, two.offers)];
  const waiting = firstValueFrom(waiting$);
  const waited = once(tools(b).call('wait'));
  await waiting;
  await expect(once(tools(a).call('ask'))).rejects.toMatchObject({ name: 'RpcError' });
  expect([...one.asked, ...two.asked]).toEqual([]);
  go$.next();
  await waited;
});

it('an inner call that ends while its client answers gives its result', async () => {
  const ended$ = new Subject<void>();
  const inner = served('shop', [
    offerTools([
      tool('race', (_args, ctx) => {
        elicit(ctx, { message: '?', schema: sizes }).catch(() => undefined);
        return firstValueFrom(ended$).then(() => 'without an answer');
      }),
    ]),
  ]);
  const outer = served('gateway', offerRemote(await connected(inner, legacy, [relayAsks()])));
  const late = offerElicitation(async () => {
    ended$.next();
    await new Promise((resolve) => setImmediate(resolve));
    return { action: 'accept', content: { size: 'M' } };
  });
  const remote = await connected(outer, modern, [late]);
  expect(await once(tools(remote).call('race'))).toMatchObject({ content: [{ text: 'without an answer' }] });
});

it('a request with the state of a call that is not held fails, and does not run again', async () => {
  const { offers, runs } = asking();
  const inner = await connected(served('shop', offers), legacy, [relayAsks()]);
  const [one, two] = [offerRemote(inner), offerRemote(inner)];
  const key = { id: 'k', secret: 'a secret of at least thirty-two characters' };
  const requestStateKeys = [key];
  const handles = [one, two].map((each) => {
    const link = memory();
    const handle = link.serve(defineServer({ info, offers: each, requestStateKeys }));
    onTestFinished(() => handle.close());
    return link;
  });
  // Each round reaches another process of the gateway.
  let dials = 0;
  const other = await connected({ link: handles[1] as MemoryTransport }, modern);
  const elsewhere = offerElicitation(async () => ({ action: 'accept', content: { size: 'M' } }));
  const remote = await defineClient({
    info,
    versions: [modern],
    offers: [elsewhere],
    attemptInterceptors: [
      (request, next) =>
        (dials += 1) === 2
          ? from(other.request(request.method, request.params)).pipe(
              map((result) => ({ type: 'result', result }) as const),
            )
          : next(request.params),
    ],
  }).connect(handles[0] as MemoryTransport);
  onTestFinished(() => remote.close());
  await expect(once(tools(remote).call('size'))).rejects.toMatchObject({ code: -31003, retryable: true });
  expect(runs).toEqual(['size']);
});

it('a request that cannot ask does not make an ask ambiguous', async () => {
  const own = user();
  const waiting = offerMethod('acme/wait', {}, () => new Promise(() => undefined));
  const inner = await connected(served('shop', [...asking().offers, waiting]), legacy, [relayAsks()]);
  const remote = await connected(served('gateway', offerRemote(inner)), legacy, own.offers);
  const other = inner.request('acme/wait').subscribe();
  await once(tools(remote).call('size'));
  expect(own.asked).toEqual([{ message: 'shop: Which size?', server: 'shop' }]);
  other.unsubscribe();
});

it('an ask ends with its call, also while the client of the call answers', async () => {
  const events = new Subject<CallEvent<JsonObject>>();
  const server = new InnerServer(NEVER, {});
  const shop = served('shop', []);
  server.remote = await connected(shop, modern);
  const call = new ForwardedCall(server, () =>
    awaitableEvents<JsonObject>((sink) => {
      const running = events.subscribe(sink);
      return { cancel: () => running.unsubscribe() };
    }),
  );
  const ctx = {
    host: { holder: 'one', memory: shop.server.memory },
    heldBytes: 0,
    meta: {},
    caller: { capabilities: {} },
    isSuspended: true,
    step: () => Promise.resolve(),
    ask: () => Promise.reject(new RxmcpError('ASK_SUSPENDED', 'later')),
  } as unknown as Context;
  const seen: unknown[] = [];
  const to = { next: (item: unknown) => seen.push(item), error: () => undefined, complete: () => undefined };
  new WaitingRequest(call, ctx).subscribe(to).unsubscribe();
  const asked = call.ask({ method: 'roots/list', needs: {} });
  events.next({ type: 'result', result: { content: [] } });
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(seen).toEqual([]);
  new WaitingRequest(call, ctx).subscribe(to);
  expect(seen).toEqual([{ content: [] }]);
});

it('relayAsks throws a TypeError for what cannot be asked', () => {
  expect(() => relayAsks(['logging' as never])).toThrow(
    '"logging" is not one of elicitation, sampling, roots',
  );
});

it('relayAsks handles the end of an elicitation by URL where it relays elicitation', () => {
  const handled = (offer: Offer): unknown => (offer as { readonly notifications?: unknown }).notifications;
  expect(handled(relayAsks(['roots', 'sampling']))).toEqual([]);
  expect(handled(relayAsks())).toMatchObject([{ method: 'notifications/elicitation/complete' }]);
});
