import { describe, expect, it } from 'vitest';
import { defineOffer } from '../../src/internal.js';
import { offerMethod, offerNotification } from '../../src/index.js';
import { rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const echo = offerMethod('x/echo', {}, (_params, ctx) => ({ version: ctx.version, caller: ctx.caller }));
const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const hello = (protocolVersion: unknown, more: object = {}) => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'r', version: '0' }, ...more },
});

describe.each(revisions)('the handshake of %s', (version) => {
  it('answers in that revision, and serves in it', async () => {
    const client = rawClient([echo, logging], { instructions: 'be kind' });
    const { result } = await client.shake(version);
    expect(result).toEqual({
      protocolVersion: version,
      capabilities: { logging: {} },
      serverInfo: { name: 's', version: '1' },
      instructions: 'be kind',
    });
    const response = await client.ask({ id: 1, method: 'x/echo' });
    expect(response.result).toMatchObject({ version, caller: { info: { name: 'raw' } } });
    expect(response.result).not.toHaveProperty('resultType');
    expect(response.result).not.toHaveProperty('_meta');
  });

  it('accepts a ping before it and after it', async () => {
    const client = rawClient([echo]);
    expect((await client.ask({ id: 'p', method: 'ping' })).result).toEqual({});
    await client.shake(version);
    expect((await client.ask({ id: 'p', method: 'ping' })).result).toEqual({});
  });
});

it('answers an unknown version with a supported one', async () => {
  expect((await rawClient([echo]).shake('1999-01-01')).result?.['protocolVersion']).toBe('2025-11-25');
  const pinned = rawClient([echo], { versions: ['2024-11-05', '2025-03-26'] });
  expect((await pinned.shake('2025-11-25')).result?.['protocolVersion']).toBe('2025-03-26');
});

it.each([
  ['protocolVersion', 7, {}],
  ['capabilities', '2025-11-25', { capabilities: [] }],
  ['clientInfo', '2025-11-25', { clientInfo: 'x' }],
])('a broken "%s" is refused, and the next attempt succeeds', async (member, version, more) => {
  const client = rawClient([echo]);
  const { error } = await client.ask(hello(version, more));
  expect(error?.code).toBe(-32602);
  expect(error?.message).toContain(member);
  expect(await client.shake()).toHaveProperty('result');
});

it.each(['x/echo', 'tools/list', 'logging/setLevel', 'resources/subscribe'])(
  '%s before the handshake is rejected with the supported versions',
  async (method) => {
    const client = rawClient([echo, logging]);
    const { error } = await client.ask({ id: 1, method });
    expect(error?.code).toBe(-32602);
    expect(error?.data?.['supported']).toEqual([
      '2026-07-28',
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
    ]);
  },
);

it('methods of the other era are unknown in a session', async () => {
  const client = rawClient([echo]);
  await client.shake();
  for (const method of ['server/discover', 'subscriptions/listen'])
    expect((await client.ask({ id: 1, method })).error?.code).toBe(-32601);
});

it('a server that does not use roots ignores their changes', async () => {
  const client = rawClient([echo]);
  await client.shake('2025-11-25', { roots: { listChanged: true } });
  client.put({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  client.put({ jsonrpc: '2.0', method: 'notifications/acme/unknown' });
  await turn();
  expect(client.faults).toMatchObject([
    { code: 'UNKNOWN_NOTIFICATION', message: expect.stringContaining('acme') as unknown },
  ]);
});

describe('row 13: batches', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'x/echo' },
    { jsonrpc: '2.0', id: 2, method: 'x/none' },
    { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
    { jsonrpc: '2.0', id: 3, method: 'ping' },
  ];

  it('are accepted by 2025-03-26, every entry separately', async () => {
    const client = rawClient([echo]);
    await client.shake('2025-03-26');
    await client.take();
    client.put(batch);
    const frames = await client.take();
    expect(frames.map((f) => [f.id, f.error?.code])).toEqual([
      [1, undefined],
      [2, -32601],
      [3, undefined],
    ]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
    'are rejected by %s, none of it runs',
    async (version) => {
      const client = rawClient([echo]);
      await client.shake(version);
      await client.take();
      client.put(batch);
      expect(await client.take()).toMatchObject([{ error: { code: -32600 } }]);
    },
  );

  it.each<[string, unknown[]]>([
    ['empty', []],
    ['of 101', Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))],
    ['nested', [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]]],
    ['with initialize', [{ jsonrpc: '2.0', ...hello('2025-03-26') }]],
    [
      'with a modern request',
      [
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'x/echo',
          params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
        },
      ],
    ],
  ])('one that is %s is rejected as a whole', async (_what, entries) => {
    const client = rawClient([echo]);
    await client.shake('2025-03-26');
    await client.take();
    client.put(entries);
    expect(await client.take()).toMatchObject([{ error: { code: -32600 } }]);
  });
});

describe('logging/setLevel', () => {
  const chatty = offerMethod('x/chatty', {}, (_params, ctx) => {
    for (const level of ['debug', 'info', 'error'] as const) ctx.log(level, level);
    return {};
  });
  const logs = async (client: ReturnType<typeof rawClient>) =>
    (await client.take()).filter((f) => f.method === 'notifications/message').map((f) => f.params?.['level']);

  it('sends nothing before it, then records of its level and above, and rejects an invalid level', async () => {
    const client = rawClient([chatty, logging]);
    await client.shake();
    await client.ask({ id: 1, method: 'x/chatty' });
    expect(await logs(client)).toEqual([]);
    await client.ask({ id: 2, method: 'logging/setLevel', params: { level: 'info' } });
    await client.ask({ id: 3, method: 'x/chatty' });
    expect(await logs(client)).toEqual(['info', 'error']);
    const { error } = await client.ask({ id: 4, method: 'logging/setLevel', params: { level: 'loud' } });
    expect(error?.code).toBe(-32602);
  });

  it('is unknown where logging is not offered', async () => {
    const client = rawClient([chatty]);
    await client.shake();
    expect(
      (await client.ask({ id: 1, method: 'logging/setLevel', params: { level: 'info' } })).error?.code,
    ).toBe(-32601);
  });
});

it('custom notifications reach their handler with the sender; a handler that throws is a fault', async () => {
  const heard: unknown[] = [];
  const ears = offerNotification('x/news', (params, from) => {
    heard.push([params.n, from.info?.name]);
    if (params.n === 2) throw new Error('mine');
  });
  const client = rawClient([ears]);
  await client.shake();
  for (const n of [1, 2, 3]) client.put({ jsonrpc: '2.0', method: 'x/news', params: { n } });
  await turn();
  expect(heard).toEqual([
    [1, 'raw'],
    [2, 'raw'],
    [3, 'raw'],
  ]);
  expect(client.faults.map((f) => f.code)).toEqual(['HANDLER_FAILED']);
});
