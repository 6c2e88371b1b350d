import { describe, expect, it } from 'vitest';
import { defineOffer } from '../../src/internal.js';
import { offerMethod } from '../../src/index.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const pv = 'io.modelcontextprotocol/protocolVersion';
const cc = 'io.modelcontextprotocol/clientCapabilities';
const sub = 'io.modelcontextprotocol/subscriptionId';
const si = 'io.modelcontextprotocol/serverInfo';
const echo = offerMethod('x/echo', {}, (_params, ctx) => ({
  version: ctx.version,
  caller: ctx.caller,
  meta: ctx.meta,
}));
const tools = defineOffer({
  name: 'tools',
  side: 'server',
  capabilities: { tools: { listChanged: true } },
  methods: [{ method: 'tools/list', handle: () => ({ tools: [] }) }],
});
const all = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const asked = (meta: unknown, method = 'x/echo', params: object = {}) => ({
  id: 1,
  method,
  params: { ...params, _meta: meta },
});

describe('row 31 and 33: the metadata of a request', () => {
  it.each<[string, unknown, number]>([
    ['no capabilities', { [pv]: '2026-07-28' }, -32602],
    ['capabilities that are a list', { [pv]: '2026-07-28', [cc]: [] }, -32602],
    ['a version that is a number', { [pv]: 20260728, [cc]: {} }, -32602],
    ['a version that is null', { [pv]: null, [cc]: {} }, -32602],
    ['a bad log level', { ...modernMeta(), 'io.modelcontextprotocol/logLevel': 'loud' }, -32602],
    ['_meta that is a string', 'x', -32602],
  ])('%s: refused', async (_what, meta, code) => {
    const client = rawClient([echo]);
    expect((await client.ask(asked(meta))).error?.code).toBe(code);
    await client.shake();
    expect((await client.ask(asked(meta))).error?.code).toBe(code);
  });

  it.each(['2099-01-01', '2025-11-25', ''])(
    'rejects version %j with the supported and the requested version',
    async (version) => {
      const { error } = await rawClient([echo]).ask(asked({ [pv]: version, [cc]: {} }));
      expect(error).toMatchObject({ code: -32022, data: { supported: all, requested: version } });
    },
  );

  it('initialize and ping with modern metadata are unknown here', async () => {
    const client = rawClient([echo]);
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe'])
      expect((await client.ask(asked(modernMeta(), method))).error?.code).toBe(-32601);
  });

  it('a server without the older era rejects a request without metadata, naming its versions', async () => {
    const client = rawClient([echo], { eras: ['modern'] });
    for (const frame of [
      { id: 1, method: 'x/echo' },
      { id: 2, method: 'initialize', params: {} },
    ])
      expect((await client.ask(frame)).error).toMatchObject({
        code: -32602,
        data: { supported: ['2026-07-28'] },
      });
  });

  it('a server without the newer era serves no modern request, before and after a handshake', async () => {
    const client = rawClient([echo], { eras: ['legacy'] });
    const claims = [asked(modernMeta(), 'server/discover'), asked(modernMeta()), asked({ [pv]: 7 })];
    const codes = async (): Promise<unknown[]> => {
      const frames = [...claims, asked(modernMeta(), 'initialize')];
      return Promise.all(frames.map(async (frame, id) => (await client.ask({ ...frame, id })).error?.code));
    };
    expect(await codes()).toEqual([-32601, -32601, -32601, -32601]);
    await client.shake();
    expect(await codes()).toEqual([-32601, -32601, -32601, -32601]);
    expect(await client.ask({ id: 9, method: 'x/echo' })).toHaveProperty('result');
  });

  it('a rejected id is free again', async () => {
    const client = rawClient([echo]);
    await client.ask(asked({ [pv]: 'x', [cc]: {} }));
    expect(await client.ask(asked(modernMeta()))).toHaveProperty('result');
    expect(client.faults).toEqual([]);
  });
});

it('results are complete and name the server; lists carry the safe cache hints', async () => {
  const client = rawClient([echo, tools]);
  const { result } = await client.modern(1, 'x/echo');
  expect(result).toMatchObject({ resultType: 'complete', _meta: { [si]: { name: 's' } } });
  expect(result).not.toHaveProperty('ttlMs');
  expect((await client.modern(2, 'tools/list')).result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

it('unknown members of _meta reach the handler', async () => {
  const client = rawClient([echo]);
  const { result } = await client.ask(asked({ ...modernMeta(), 'com.example/x': [1] }));
  expect((result?.['meta'] as Record<string, unknown>)['com.example/x']).toEqual([1]);
});

it('server/discover returns versions, capabilities and how long they stay valid', async () => {
  const client = rawClient([tools], { instructions: 'be kind' });
  expect((await client.modern(1, 'server/discover')).result).toMatchObject({
    supportedVersions: all,
    capabilities: { tools: { listChanged: true } },
    instructions: 'be kind',
    ttlMs: 0,
    cacheScope: 'private',
    resultType: 'complete',
  });
});

describe('both eras on one pipe', () => {
  it('the result of a handshake does not leak into modern requests', async () => {
    const chatty = offerMethod('x/chatty', {}, (_params, ctx) => {
      ctx.log('error', 'x');
      return {};
    });
    const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
    const client = rawClient([echo, chatty, logging]);
    await client.shake('2025-06-18', { sampling: {} });
    await client.ask({ id: 1, method: 'logging/setLevel', params: { level: 'debug' } });
    const { result } = await client.modern(2, 'x/echo');
    expect(result).toMatchObject({ version: '2026-07-28', caller: { capabilities: {} } });
    expect((result?.['caller'] as { info?: unknown }).info).toBeUndefined();
    await client.take();
    await client.modern(3, 'x/chatty');
    expect((await client.take()).filter((f) => f.method !== undefined)).toEqual([]);
    await client.ask({ id: 4, method: 'x/chatty' });
    expect((await client.take()).filter((f) => f.method !== undefined)).toHaveLength(1);
    expect((await client.ask({ id: 5, method: 'x/echo' })).result).toMatchObject({ version: '2025-06-18' });
  });

  it('the capabilities of a modern request do not leak into the session', async () => {
    const client = rawClient([echo]);
    await client.shake();
    await client.modern(1, 'x/echo', {}, { sampling: {} });
    expect((await client.ask({ id: 2, method: 'x/echo' })).result).toMatchObject({
      caller: { capabilities: {} },
    });
  });

  it('a change is sent once, plain, to the session, and once, tagged, to each subscription', async () => {
    let changed: () => void = () => undefined;
    const offer = defineOffer({
      name: 'tools',
      side: 'server',
      capabilities: { tools: { listChanged: true } },
      start: (host) => {
        changed = () => host.changed('tools');
        return undefined;
      },
    });
    const client = rawClient([offer]);
    await client.shake();
    for (const id of ['', 0])
      client.put({
        jsonrpc: '2.0',
        ...asked(modernMeta(), 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
        id,
      });
    await client.take();
    for (let i = 0; i < 100; i += 1) changed();
    const notices = await client.take();
    expect(notices.map((f) => f.params?._meta?.[sub])).toEqual([undefined, '', 0]);
  });

  it('ids are shared: a cancel of either era finds requests of both', async () => {
    const aborted: string[] = [];
    const slow = offerMethod('x/slow', {}, (_params, ctx) => {
      ctx.signal.addEventListener('abort', () => aborted.push(ctx.version));
      return new Promise<never>(() => undefined);
    });
    const client = rawClient([slow]);
    await client.shake();
    client.put({ jsonrpc: '2.0', id: 1, method: 'x/slow' });
    client.put({ jsonrpc: '2.0', ...asked(modernMeta(), 'x/slow'), id: 2 });
    for (const requestId of [2, 1])
      client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await turn();
    expect(aborted).toEqual(['2026-07-28', '2025-11-25']);
  });
});
