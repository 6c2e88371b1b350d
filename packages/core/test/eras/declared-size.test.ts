import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import type { EraConnection } from '../../src/eras/served.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';

const echo = offerMethod('x/echo', {}, (_params, ctx) => {
  ctx.progress(1);
  return {};
});
const large = { experimental: { a: 'x'.repeat(65_536) } };
const info = { name: 'n', version: '1' };

describe('what a client declares about itself', () => {
  it.each([
    ['capabilities', { capabilities: large, clientInfo: info }],
    ['clientInfo', { capabilities: {}, clientInfo: { ...info, title: 'x'.repeat(65_536) } }],
  ])('is rejected in a handshake where "%s" is too large to be kept', async (name, declared) => {
    const client = rawClient([echo]);
    const params = { protocolVersion: '2025-11-25', ...declared };
    const { error } = await client.ask({ id: 1, method: 'initialize', params });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(
      new RegExp(`"${name}" has 65\\d{3} characters as JSON; at most 65536 are allowed`),
    );
    expect((await client.shake()).result).toBeDefined();
  });

  it.each([
    ['clientCapabilities', modernMeta({}, large)],
    [
      'clientInfo',
      modernMeta({ 'io.modelcontextprotocol/clientInfo': { ...info, title: 'x'.repeat(65_536) } }),
    ],
  ])('is rejected in a subscription where "%s" is too large to be kept', async (name, _meta) => {
    const client = rawClient([echo]);
    const { error } = await client.ask({
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: {}, _meta },
    });
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(`"${name}" has 65`);
    // A request that ends keeps nothing.
    expect((await client.ask({ id: 2, method: 'x/echo', params: { _meta } })).result).toBeDefined();
  });

  it('an open subscription keeps neither its metadata nor its parameters', async () => {
    const client = rawClient([echo]);
    const _meta = modernMeta({ more: 'x'.repeat(100_000) });
    client.put({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: {}, more: 'x'.repeat(100_000), _meta },
    });
    expect(await client.take()).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }]);
    const { listens } = client.served as unknown as EraConnection;
    const kept = [...(listens ?? [])].map(({ exchange: { params, claim } }) => [params, claim.meta]);
    expect(kept).toEqual([[{}, {}]]);
  });
});

it.each([
  ['t'.repeat(256), 1],
  ['t'.repeat(257), 0],
])('a progress token of more than 256 characters gets no progress', async (progressToken, count) => {
  const client = rawClient([echo]);
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/echo', params: { _meta: modernMeta({ progressToken }) } });
  const sent = await client.take();
  expect(sent.filter(({ method }) => method === 'notifications/progress')).toHaveLength(count);
  expect(sent.some(({ id }) => id === 1)).toBe(true);
});
