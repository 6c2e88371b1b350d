import { expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import type { JsonObject, RxmcpError } from '../../src/index.js';
import { sendAsk } from '../../src/internal.js';
import { rawClient } from '../rig/raw-client.js';

const roots = { method: 'roots/list', needs: { roots: {} } } as const;

/** A server whose method asks for roots, with a client that answers with an error. */
async function answered(code: number, handled: (error: RxmcpError) => JsonObject): Promise<unknown> {
  const asking = offerMethod('x/ask', {}, (_params, ctx) => sendAsk(ctx, 'k', roots).catch(handled));
  const client = rawClient([asking]);
  await client.shake('2025-11-25', { roots: {} });
  await client.take();
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/ask' });
  const [question] = await client.take();
  client.put({ jsonrpc: '2.0', id: question?.id, error: { code, message: 'no "roots" here' } });
  const [response] = await client.take();
  return response?.error ?? response?.result;
}

it.each([
  [-32601, 'ASK_UNAVAILABLE', 'the client does not have it: "no \\"roots\\" here" (-32601)'],
  [-32602, 'ASK_REJECTED', 'the client rejected it: "no \\"roots\\" here" (-32602)'],
  [-32603, 'ASK_REJECTED', 'the client rejected it: "no \\"roots\\" here" (-32603)'],
  [-1, 'ASK_REJECTED', 'the client rejected it: "no \\"roots\\" here"'],
])('a client that answers an ask with %i lets the handler continue after %s', async (number, code, text) => {
  const seen = await answered(number, (error) => ({
    seen: [error.code, error.message, (error.cause as { code: number }).code],
  }));
  expect(seen).toEqual({ seen: [code, `"roots/list": ${text}`, number] });
});

it.each([
  [-32601, -31002],
  [-32603, -1],
])('the error %i of a client is not that of the request being served: %i', async (number, code) => {
  const rethrown = (error: RxmcpError): never => {
    throw error;
  };
  expect(await answered(number, rethrown)).toMatchObject({
    code,
    message: expect.stringContaining('"roots/list"'),
  });
});

it('a custom request to the client fails with the error that it answered with', async () => {
  const asking = offerMethod('x/ask', {}, async (_params, ctx) => {
    const error: unknown = await ctx.request('x/custom').catch((cause: unknown) => cause);
    return { code: (error as { code: unknown }).code };
  });
  const client = rawClient([asking]);
  await client.shake();
  await client.take();
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/ask' });
  const [question] = await client.take();
  client.put({ jsonrpc: '2.0', id: question?.id, error: { code: 7, message: 'mine' } });
  expect(await client.take()).toMatchObject([{ id: 1, result: { code: 7 } }]);
});
