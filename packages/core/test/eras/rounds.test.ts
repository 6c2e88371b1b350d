import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Context, InterceptedRequest, NextFunction } from '../../src/index.js';
import { defineServer } from '../../src/index.js';
import { sendAsk, defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import type { RawClient } from '../rig/raw-client.js';
import { joined, modernMeta, rawClient } from '../rig/raw-client.js';
import { oneStepEachTurn, turn } from '../rig/turn.js';

const roots = (ctx: Context, key: string) =>
  sendAsk(ctx, key, { method: 'roots/list', needs: { roots: {} } });
const tool = (handle: (params: object, ctx: Context) => Promise<Record<string, unknown>>) =>
  defineOffer({
    name: 'tools',
    side: 'server',
    capabilities: { tools: {} },
    methods: ['tools/call', 'tools/list', 'resources/read'].map((method) => ({ method, handle })),
  });

interface Asked {
  requestState: string;
  inputRequests: Record<string, { method: string; params?: object }>;
}
const asked = (frame: Frame): Asked => {
  expect(frame.result?.['resultType']).toBe('input_required');
  return frame.result as never;
};
const able = { roots: {} };
const call = (client: RawClient, id: number, more: object = {}, capabilities: object = able) =>
  client.modern(id, 'tools/call', { name: 'a', ...more }, capabilities);
const answers = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, { roots: [key] }]));

describe('asking in rounds', () => {
  it('parallel asks are sent together; the retry runs the handler again with the answers', async () => {
    let runs = 0;
    const client = rawClient([
      tool(async (_params, ctx) => {
        runs += 1;
        const all = await Promise.all([roots(ctx, 'a'), roots(ctx, 'b')]);
        return { all, last: await roots(ctx, 'c') };
      }),
    ]);
    const first = asked(await call(client, 1));
    expect(Object.keys(first.inputRequests)).toEqual(['a', 'b']);
    const second = asked(
      await call(client, 2, { requestState: first.requestState, inputResponses: answers('a', 'b') }),
    );
    expect(Object.keys(second.inputRequests)).toEqual(['c']);
    const end = await call(client, 3, { requestState: second.requestState, inputResponses: answers('c') });
    expect(end.result).toMatchObject({
      all: [{ roots: ['a'] }, { roots: ['b'] }],
      last: { roots: ['c'] },
      resultType: 'complete',
    });
    expect(runs).toBe(3);
  });

  it('many values are read in turns: a request of another caller is served meanwhile', async () => {
    oneStepEachTurn();
    const client = rawClient([tool(async (_params, ctx) => roots(ctx, 'a'))]);
    const other = joined(client.server);
    const served: string[] = [];
    const ask = async (name: string, by: RawClient, values: number): Promise<void> => {
      const pad = Object.fromEntries(Array.from({ length: values }, (_, at) => [`name ${String(at)}`, at]));
      asked(await call(by, 1, { arguments: pad }));
      served.push(name);
    };
    await Promise.all([ask('many', client, 100_000), ask('few', other, 1)]);
    expect(served).toEqual(['few', 'many']);
  });

  it.each([
    ['without interceptors', []],
    [
      'behind an interceptor',
      [(request: InterceptedRequest, next: NextFunction) => next(request.params as never)],
    ],
  ])('each run has its number, %s; a new call begins with 1', async (_what, interceptors) => {
    const rounds: number[] = [];
    const client = rawClient(
      [
        tool(async (_params, ctx) => {
          rounds.push(ctx.round);
          return { a: await roots(ctx, 'a'), b: await roots(ctx, 'b') };
        }),
      ],
      { interceptors },
    );
    const first = asked(await call(client, 1));
    const second = asked(
      await call(client, 2, { requestState: first.requestState, inputResponses: answers('a') }),
    );
    await call(client, 3, { requestState: second.requestState, inputResponses: answers('b') });
    await call(client, 4);
    expect(rounds).toEqual([1, 2, 3, 1]);
  });

  it('a key that is repeated is numbered, and nothing is sent after the ask', async () => {
    const client = rawClient([
      tool(async (_params, ctx) => {
        await Promise.all([roots(ctx, 'a'), roots(ctx, 'a')]).catch(() => undefined);
        ctx.progress(1);
        return { ignored: true };
      }),
    ]);
    expect(Object.keys(asked(await call(client, 1)).inputRequests)).toEqual(['a', 'a (2)']);
    expect(await client.take()).toHaveLength(1);
  });

  it('once runs once over all rounds, also without a value, also while the ask is being sent', async () => {
    const did: string[] = [];
    const client = rawClient([
      tool(async (_params, ctx) => {
        await ctx.step('silent', () => void did.push('silent'));
        const slow = ctx.step('slow', async () => {
          await turn();
          did.push('slow');
          return 7;
        });
        const a = await roots(ctx, 'a');
        return { a, slow: await slow, again: await ctx.step('slow', () => 8) };
      }),
    ]);
    const first = asked(await call(client, 1));
    const end = await call(client, 2, { requestState: first.requestState, inputResponses: answers('a') });
    expect(end.result).toMatchObject({ slow: 7, again: 7 });
    expect(did).toEqual(['silent', 'slow']);
  });

  it('missing answers are asked for again; unknown ones and those without a state are ignored', async () => {
    const client = rawClient([tool(async (_params, ctx) => ({ a: await roots(ctx, 'a') }))]);
    const first = asked(await call(client, 1, { inputResponses: answers('a') }));
    const second = asked(
      await call(client, 2, { requestState: first.requestState, inputResponses: answers('zzz') }),
    );
    const end = await call(client, 3, {
      requestState: second.requestState,
      inputResponses: answers('a', 'toString'),
    });
    expect(end.result).toMatchObject({ a: { roots: ['a'] } });
  });

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['a text for one', { a: 'x' }],
  ])('answers that are %s are refused', async (_what, inputResponses) => {
    const client = rawClient([tool(async (_params, ctx) => ({ a: await roots(ctx, 'a') }))]);
    const first = asked(await call(client, 1));
    expect((await call(client, 2, { requestState: first.requestState, inputResponses })).error?.code).toBe(
      -32602,
    );
  });

  it('a handler that is cancelled while its ask is prepared does not hang', async () => {
    const ends: unknown[] = [];
    const client = rawClient([
      tool(async (_params, ctx) => {
        await roots(ctx, 'a').catch((e: { code: string }) => ends.push(e.code));
        await roots(ctx, 'b').catch((e: { code: string }) => ends.push(e.code));
        return {};
      }),
    ]);
    client.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: modernMeta({}, able) } });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await turn();
    expect(ends).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await client.take()).toEqual([]);
  });

  it("without the capability: -32021 with an object of what is required, or the handler's own result", async () => {
    const client = rawClient([
      tool(async (params, ctx) => {
        const asking = roots(ctx, 'a');
        return {
          got: await ((params as { name: string }).name === 'a'
            ? asking
            : asking.catch((e: { code: string }) => e.code)),
        };
      }),
    ]);
    expect((await call(client, 1, {}, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
    expect((await call(client, 2, { name: 'b' }, {})).result).toMatchObject({ got: 'ASK_UNAVAILABLE' });
  });

  it('lists may not ask, whatever the client declared', async () => {
    const client = rawClient([
      tool(async (_params, ctx) => ({ a: await roots(ctx, 'a').catch((e: { code: string }) => e.code) })),
    ]);
    expect((await client.modern(1, 'tools/list', {}, able)).result).toMatchObject({ a: 'ASK_UNAVAILABLE' });
    expect((await client.modern(2, 'resources/read', {}, able)).result).toMatchObject({
      resultType: 'input_required',
    });
  });
});

describe('row 50: sealed state', () => {
  const asking = tool(async (_params, ctx) => ({ a: await roots(ctx, 'a') }));
  const key = (n: number) => ({ id: `k${n}`, secret: String(n).repeat(40) });

  it('is refused when a single character differs, at every place', async () => {
    const client = rawClient([asking]);
    const { requestState } = asked(await call(client, 1));
    for (let i = 0; i < requestState.length; i += 1) {
      const other = requestState[i] === 'A' ? 'B' : 'A';
      const altered = requestState.slice(0, i) + other + requestState.slice(i + 1);
      const { error } = await call(client, 2, { requestState: altered, inputResponses: answers('a') });
      expect(error?.code, `character ${i}`).toBe(-32602);
    }
  });

  it.each([
    ['empty', ''],
    ['no base64', '###'],
    ['short', 'AQ'],
    ['spaced', ' '],
  ])('is refused when it is %s', async (_what, requestState) => {
    const client = rawClient([asking]);
    expect((await call(client, 1, { requestState })).error?.code).toBe(-32602);
    const good = asked(await call(client, 2)).requestState;
    expect(
      (await call(client, 3, { requestState: ` ${good}`, inputResponses: answers('a') })).error?.code,
    ).toBe(-32602);
  });

  it('is refused without a look at the parameters when it was not sealed here', async () => {
    const client = rawClient([asking]);
    const { requestState } = asked(await call(client, 1));
    const forged = requestState.slice(0, -2) + (requestState.endsWith('A') ? 'QQ' : 'AA');
    const digest = vi.spyOn(crypto.subtle, 'digest');
    onTestFinished(() => digest.mockRestore());
    expect((await call(client, 2, { requestState: forged })).error?.code).toBe(-32602);
    expect(digest).not.toHaveBeenCalled();
    await call(client, 3, { requestState });
    expect(digest).toHaveBeenCalled();
  });

  it('is bound to its method, its parameters and its principal; the order of members does not matter', async () => {
    const server = defineServer({ info: { name: 's', version: '1' }, offers: [asking] });
    const ada = joined(server, { principal: 'ada' });
    const bob = joined(server, { principal: 'bob' });
    const params = { name: 'a', arguments: { x: 1, y: { z: 2, w: 3 } } };
    const { requestState } = asked(await ada.modern(1, 'tools/call', params, able));
    const retry = { requestState, inputResponses: answers('a') };
    const refused = [
      await bob.modern(2, 'tools/call', { ...params, ...retry }, able),
      await joined(server).modern(2, 'tools/call', { ...params, ...retry }, able),
      await ada.modern(3, 'resources/read', { ...params, ...retry }, able),
      await ada.modern(4, 'tools/call', { ...params, name: 'b', ...retry }, able),
      await ada.modern(5, 'tools/call', { ...params, extra: 1, ...retry }, able),
    ];
    expect(refused.map((f) => f.error?.code)).toEqual(refused.map(() => -32602));
    const turned = { arguments: { y: { w: 3, z: 2 }, x: 1 }, name: 'a' };
    expect((await ada.modern(6, 'tools/call', { ...turned, ...retry }, able)).result).toMatchObject({
      a: {},
    });
  });

  it('expires after 15 minutes', async () => {
    const { vi } = await import('vitest');
    const client = rawClient([asking]);
    const { requestState } = asked(await call(client, 1));
    const retry = { requestState, inputResponses: answers('a') };
    const clock = vi.spyOn(Date, 'now');
    const at = Date.now();
    clock.mockReturnValue(at + 15 * 60_000 - 2_000);
    expect(await call(client, 2, retry)).toHaveProperty('result');
    clock.mockReturnValue(at + 15 * 60_000 + 1);
    expect((await call(client, 3, retry)).error?.code).toBe(-32602);
    clock.mockRestore();
  });

  it('opens at another server that shares the keys, and at no other', async () => {
    const one = rawClient([asking], { requestStateKeys: [key(1)] });
    const { requestState } = asked(await call(one, 1));
    const retry = { requestState, inputResponses: answers('a') };
    const other = rawClient([asking], { requestStateKeys: [key(2), key(1)] });
    expect((await call(other, 2, retry)).result).toMatchObject({ a: { roots: ['a'] } });
    for (const stranger of [
      rawClient([asking], { requestStateKeys: [{ ...key(2), id: 'k1' }] }),
      rawClient([asking]),
    ])
      expect((await call(stranger, 3, retry)).error?.code).toBe(-32602);
  });

  it('that grows too large is a separate error, before it is encrypted', async () => {
    const asking = tool(async (_params, ctx) => ({ a: await roots(ctx, 'a') }));
    const { length } = asked(await call(rawClient([asking]), 1)).requestState;
    const enough = rawClient([asking], { maxRequestStateBytes: length });
    expect(asked(await call(enough, 1)).requestState).toHaveLength(length);
    const client = rawClient([asking], { maxRequestStateBytes: length - 1 });
    expect((await call(client, 1)).error?.code).toBe(-32603);
    const message = expect.stringContaining(`has ${String(length)} bytes`) as string;
    expect(client.faults).toMatchObject([{ code: 'STATE_TOO_LARGE', message }]);
  });
});
