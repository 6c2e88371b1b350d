import type { JsonObject } from '@rxmcp/jsonrpc';
import { estimateRequestBytes, MemoryBudget } from '@rxmcp/transport';
import fc from 'fast-check';
import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type Context, offerMethod } from '../../src/index.js';
import { sendAsk } from '../../src/internal.js';
import { joined, modernMeta, rawClient } from '../rig/raw-client.js';
import { turn, until } from '../rig/turn.js';

const kibibyte = 1024;
const echo = offerMethod('x/echo', {}, ({ text }) => ({ text }));
const request = (id: number, method: string, text = '') => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { text, _meta: modernMeta() },
});

/** Handlers that end when the test says so, whether or not their requests are cancelled. */
function held() {
  const ends: (() => void)[] = [];
  const offer = offerMethod(
    'x/held',
    {},
    () => new Promise<JsonObject>((resolve) => ends.push(() => resolve({}))),
  );
  return { offer, ends };
}

const askRoots = (ctx: Context, key: string) =>
  sendAsk(ctx, key, { method: 'roots/list', needs: { roots: {} } });

/** A client with a request that asks for its roots three times in a row. */
async function asked(maxBytes: number) {
  const memory = new MemoryBudget({ maxBytes });
  const asks = offerMethod('x/asks', {}, async (_params, ctx) => {
    await askRoots(ctx, 'one');
    await askRoots(ctx, 'two').catch(() => undefined);
    return askRoots(ctx, 'three');
  });
  const client = rawClient([asks], { memory });
  await client.shake('2025-11-25', { roots: {} });
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/asks', params: {} });
  const questions = () => client.sent.filter(({ method }) => method === 'roots/list');
  await until(() => questions().length === 1);
  const response = () => client.sent.find(({ id, method }) => id === 1 && method === undefined);
  const answer = async (outcome: object): Promise<void> => {
    const { length } = questions();
    client.put({ jsonrpc: '2.0', id: questions().at(-1)?.id, ...outcome });
    await until(() => questions().length > length || response() !== undefined);
  };
  return { client, memory, answer, response };
}

describe('the memory of a server', () => {
  it('is charged for a request until it is answered', async () => {
    const { offer, ends } = held();
    const client = rawClient([offer]);
    const frame = request(1, 'x/held', 'x'.repeat(10_000));
    const before = client.server.memory.heldBytes;
    client.put(frame);
    await until(() => ends.length === 1);
    expect(client.server.memory.heldBytes - before).toBe(estimateRequestBytes(JSON.stringify(frame)));
    ends[0]?.();
    await turn();
    expect(client.server.memory.heldBytes).toBe(before);
  });

  it('is charged after a cancellation until the handler has ended', async () => {
    const memory = new MemoryBudget({ maxBytes: 64 * kibibyte });
    const { offer, ends } = held();
    const client = rawClient([offer], { memory });
    client.put(request(1, 'x/held'));
    await until(() => ends.length === 1);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    client.end();
    await turn();
    expect(memory.heldBytes).toBeGreaterThan(0);
    ends[0]?.();
    await turn();
    expect(memory.heldBytes).toBe(0);
  });

  it('rejects what would exceed the share of a client, and serves the others', async () => {
    const memory = new MemoryBudget({ maxBytes: 64 * kibibyte });
    const { offer, ends } = held();
    const client = rawClient([offer, echo], { memory });
    const other = joined(client.server);
    client.put(request(1, 'x/held', 'x'.repeat(10 * kibibyte)));
    await until(() => ends.length === 1);
    expect((await client.ask(request(2, 'x/echo', 'x'.repeat(10 * kibibyte)))).error).toMatchObject({
      code: -31001,
      message: '"x/echo" rejected: the memory budget, or the share of the caller, is used up',
      data: { retryable: true, executed: false },
    });
    expect((await other.ask(request(2, 'x/echo', 'x'.repeat(10 * kibibyte)))).error).toBeUndefined();
    ends[0]?.();
    await turn();
    expect((await client.ask(request(3, 'x/echo', 'x'.repeat(10 * kibibyte)))).error).toBeUndefined();
  });

  it('is charged for a session, its capabilities included, until the connection is closed', async () => {
    const memory = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
    const client = rawClient([echo], { memory });
    await client.shake('2025-11-25', { experimental: { big: { text: 'x'.repeat(1_000) } } });
    expect(memory.heldBytes).toBeGreaterThan(3_000);
    expect(memory.stats().largest).toMatchObject([{ holder: expect.stringMatching(/^connection \d+$/) }]);
    client.end();
    await turn();
    expect(memory.heldBytes).toBe(0);
  });

  it('is charged for what a client responds to asks until the request that asks has ended', async () => {
    const { client, memory, answer } = await asked(1_024 * kibibyte);
    const before = memory.heldBytes;
    const result = { roots: [{ uri: 'file:///a', name: 'x'.repeat(10_000) }] };
    await answer({ result });
    const afterOne = memory.heldBytes;
    expect(afterOne - before).toBeGreaterThan(20_000);
    // An error is kept too, with its data.
    await answer({ error: { code: -32603, message: 'no', data: 'x'.repeat(10_000) } });
    expect(memory.heldBytes - afterOne).toBeGreaterThan(20_000);
    await answer({ result: { roots: [] } });
    // The session remains.
    expect(memory.heldBytes).toBeLessThan(before);
    client.end();
    await turn();
    expect(memory.heldBytes).toBe(0);
  });

  it('without room for what a client responds to an ask, the request that asks is rejected', async () => {
    const { client, memory, answer, response } = await asked(64 * kibibyte);
    await answer({ result: { roots: [{ uri: 'file:///a', name: 'x'.repeat(20 * kibibyte) }] } });
    expect(response()?.error).toMatchObject({
      code: -31001,
      message: 'the memory budget, or the share of the caller, is used up',
      data: { retryAfterMs: 1_000 },
    });
    client.end();
    await turn();
    expect(memory.heldBytes).toBe(0);
  });

  it('is charged for the answers in the state of a repeated request', async () => {
    const memory = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
    let waiting = 0;
    const asks = offerMethod('tools/call', {}, async (_params, ctx) => {
      await askRoots(ctx, 'one');
      await askRoots(ctx, 'two');
      waiting += 1;
      return new Promise<never>((_, reject) =>
        ctx.signal.addEventListener('abort', () => reject(new Error('ended'))),
      );
    });
    const client = rawClient([asks], { memory });
    let id = 0;
    const call = (more: object) => ({
      id: (id += 1),
      method: 'tools/call',
      params: { name: 'a', ...more, _meta: modernMeta({}, { roots: {} }) },
    });
    const one = await client.ask(call({}));
    // A few bytes each, as text.
    const roots = Array.from({ length: 1_000 }, () => ({}));
    const inputResponses = { one: { roots } };
    const two = await client.ask(call({ requestState: one.result?.requestState, inputResponses }));
    expect(memory.heldBytes).toBe(0);
    const last = call({ requestState: two.result?.requestState, inputResponses: { two: { roots: [] } } });
    client.put({ jsonrpc: '2.0', ...last });
    await until(() => waiting === 1);
    expect(memory.heldBytes - estimateRequestBytes(JSON.stringify(last))).toBeGreaterThan(64_000);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await until(() => memory.heldBytes === 0);
    // One that is cancelled while its state is opened is charged for nothing.
    client.put({ jsonrpc: '2.0', ...last });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await turn();
    expect([memory.heldBytes, waiting]).toEqual([0, 1]);
  });

  it('under pressure is reported by health', async () => {
    const memory = new MemoryBudget({ maxBytes: 64 * kibibyte });
    const client = rawClient([echo], { memory });
    expect(client.server.health()).toEqual({ healthy: true });
    memory.tryCharge('someone', 60 * kibibyte);
    expect(client.server.health()).toEqual({
      healthy: false,
      reason: '61440 of 65536 bytes of memory are held',
    });
  });

  it('is empty after any sequence of requests, cancellations and ends', async () => {
    const methods = fc.constantFrom(
      'x/echo',
      'x/never',
      'x/held',
      'x/unknown',
      'tools/list',
      'initialize',
      'ping',
    );
    const step = fc.record({ method: methods, length: fc.nat({ max: 20_000 }), cancels: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, ends) => {
        const memory = new MemoryBudget({ maxBytes: 128 * kibibyte });
        const never = offerMethod('x/never', {}, () => NEVER);
        const { offer, ends: handlers } = held();
        const client = rawClient([echo, never, offer], { memory, watchFaults: false });
        for (const [index, { method, length, cancels }] of steps.entries()) {
          client.put(request(index + 1, method, 'x'.repeat(length)));
          expect(memory.heldBytes).toBeLessThanOrEqual(memory.maxBytes);
          if (cancels)
            client.put({
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId: index + 1 },
            });
        }
        await turn();
        if (ends) client.end();
        else await client.connection.close();
        for (const end of handlers) end();
        await turn();
        expect(memory.heldBytes).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
