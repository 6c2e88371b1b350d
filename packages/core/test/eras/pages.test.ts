import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/contract/ask.js';
import type { Context } from '../../src/index.js';
import { sendAsk } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import type { RawClient } from '../rig/raw-client.js';
import { legacy, speaking } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const capabilities = { elicitation: { form: {}, url: {} } };
const params = { mode: 'url', message: 'm', url: 'https://a.example/pay' };
const page: Ask = { method: 'elicitation/create', params, needs: { elicitation: { url: {} } } };

/** A call whose handler sends its user to a page and ends when the test ends it. */
async function visiting(version: string, more: (ctx: Context) => Partial<Ask> = () => ({})) {
  let finish: (value: unknown) => void = () => undefined;
  const handled = new Promise((resolve) => (finish = resolve));
  const { client } = await speaking(
    version,
    {
      'tools/call': async (_params, ctx) => {
        await sendAsk(ctx, 'k', { ...page, ...more(ctx) });
        return handled;
      },
    },
    capabilities,
  );
  client.put({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: {} });
  const [question] = await client.take();
  const answer = (action: string) => client.put({ jsonrpc: '2.0', id: question?.id, result: { action } });
  return { client, question, answer, finish: () => finish({ content: [] }) };
}

const over = (id: unknown) => ({
  method: 'notifications/elicitation/complete',
  params: { elicitationId: id },
});
const idOf = (question: Frame | undefined): unknown => question?.params?.['elicitationId'];
const taken = async (client: RawClient): Promise<unknown[]> =>
  (await client.take()).map((f) => f.method ?? f.id);

describe('a page to visit, in 2025-11-25', () => {
  it('has a unique id each time, or the given one', async () => {
    const [one, other] = [await visiting('2025-11-25'), await visiting('2025-11-25')];
    expect(one.question?.params).toMatchObject(params);
    expect(idOf(one.question)).toMatch(/^[0-9a-f]{32}$/);
    expect(idOf(other.question)).not.toBe(idOf(one.question));
    expect(idOf((await visiting('2025-11-25', () => ({ id: 'mine' }))).question)).toBe('mine');
  });

  it('is complete when the request that opened it is answered, and that is sent before the answer', async () => {
    const { client, question, answer, finish } = await visiting('2025-11-25');
    answer('accept');
    expect(await client.take()).toEqual([]);
    finish();
    expect(await client.take()).toMatchObject([over(idOf(question)), { id: 'call', result: {} }]);
  });

  it('completes when its server says so, once', async () => {
    let visited: (value?: unknown) => void = () => undefined;
    const { client, question, answer, finish } = await visiting('2025-11-25', () => ({
      completed: new Promise((resolve) => (visited = resolve)),
    }));
    answer('accept');
    expect(await client.take()).toEqual([]);
    visited();
    expect(await client.take()).toMatchObject([over(idOf(question))]);
    finish();
    expect(await client.take()).toMatchObject([{ id: 'call', result: {} }]);
  });

  it.each(['decline', 'cancel'])('that its user does not visit (%s) never completes', async (action) => {
    const { client, answer, finish } = await visiting('2025-11-25', () => ({ completed: Promise.resolve() }));
    answer(action);
    finish();
    expect(await taken(client)).toEqual(['call']);
  });

  it('whose visit fails, or ends after the request, is not reported as complete', async () => {
    let visited: (value?: unknown) => void = () => undefined;
    const failed = await visiting('2025-11-25', () => ({ completed: Promise.reject(new Error('never')) }));
    const late = await visiting('2025-11-25', () => ({
      completed: new Promise((resolve) => (visited = resolve)),
    }));
    for (const { answer, finish } of [failed, late]) {
      answer('accept');
      await turn();
      finish();
    }
    expect(await taken(failed.client)).toEqual(['call']);
    expect(await taken(late.client)).toEqual(['call']);
    visited();
    expect(await late.client.take()).toEqual([]);
  });

  it.each([
    ['', () => ({})],
    [', whose handler has looked at its signal', (ctx: Context) => (void ctx.signal, {})],
  ])('sends nothing to a client that cancelled%s', async (_what, more) => {
    const { client, answer } = await visiting('2025-11-25', more);
    answer('accept');
    await turn();
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } });
    expect(await client.take()).toEqual([]);
    expect(client.faults).toEqual([]);
  });
});

it.each(legacy.slice(0, 3))('there are no pages to visit in %s', async (version) => {
  const { question } = await visiting(version);
  expect(question).toMatchObject({
    id: 'call',
    error: { code: -31002, message: expect.stringContaining(version) },
  });
});

it('a page has no id in 2026-07-28, and its completion is not sent', async () => {
  const { ask, client } = await speaking(
    '2026-07-28',
    {
      'tools/call': (_params, ctx) =>
        sendAsk(ctx, 'k', { ...page, id: 'mine', completed: Promise.reject(new Error('never')) }),
    },
    capabilities,
  );
  const { result } = await ask('tools/call');
  expect(result).toMatchObject({ inputRequests: { k: { method: 'elicitation/create', params } } });
  expect(JSON.stringify(result?.['inputRequests'])).not.toContain('elicitationId');
  const again = { requestState: result?.['requestState'], inputResponses: { k: { action: 'accept' } } };
  expect((await ask('tools/call', again)).result).toMatchObject({ action: 'accept' });
  expect(client.sent.filter(({ method }) => method !== undefined)).toEqual([]);
});
