import { describe, expect, it } from 'vitest';
import { modernMeta } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const notification = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });

describe('a request of the client', () => {
  it('has the progress and the response of the server, under its own id and token', async () => {
    const { front, back } = await joined();
    front.put(request('a', 'x/y', { n: 1, _meta: { progressToken: 't' } }));
    await turn();
    const [sent] = back.sent;
    expect(sent).toMatchObject({ method: 'x/y', params: { n: 1 } });
    back.put(notification('notifications/progress', { ...sent?.params?._meta, progress: 1, total: 2 }));
    back.put({ jsonrpc: '2.0', id: sent?.id, result: { ok: true } });
    await turn();
    expect(front.sent).toEqual([
      notification('notifications/progress', { progressToken: 't', progress: 1, total: 2 }),
      { jsonrpc: '2.0', id: 'a', result: { ok: true } },
    ]);
  });

  it('is cancelled at the server, and has no response', async () => {
    const { front, back } = await joined();
    front.put(request('a', 'x/y'));
    await turn();
    const id = back.sent[0]?.id;
    front.put(notification('notifications/cancelled', { requestId: 'a', reason: 'enough' }));
    front.put(notification('notifications/cancelled', { requestId: 'unknown' }));
    await turn();
    expect(back.sent.slice(1)).toEqual([
      notification('notifications/cancelled', { requestId: id, reason: 'no longer needed' }),
    ]);
    back.put({ jsonrpc: '2.0', id, result: {} });
    await turn();
    expect(front.sent).toEqual([]);
  });
});

it('a request of the server has the response of the client, and is withdrawn there', async () => {
  const { front, back } = await joined();
  back.put(request('s1', 'roots/list'));
  back.put(request('s2', 'roots/list'));
  await turn();
  const [one, two] = front.sent;
  front.put({ jsonrpc: '2.0', id: one?.id, result: { roots: [] } });
  back.put(notification('notifications/cancelled', { requestId: 's2', reason: 'late' }));
  await turn();
  expect(back.sent).toEqual([{ jsonrpc: '2.0', id: 's1', result: { roots: [] } }]);
  expect(front.sent.slice(2)).toEqual([
    notification('notifications/cancelled', { requestId: two?.id, reason: 'no longer needed' }),
  ]);
});

it('notifications pass both ways', async () => {
  const { front, back } = await joined();
  front.put(notification('notifications/initialized'));
  front.put(notification('x/from-client', { n: 1 }));
  back.put(notification('x/from-server', { n: 2 }));
  await turn();
  expect(back.sent).toEqual([
    notification('notifications/initialized'),
    notification('x/from-client', { n: 1 }),
  ]);
  expect(front.sent).toEqual([notification('x/from-server', { n: 2 })]);
});

describe('what a bridge cannot relay is rejected', () => {
  it('with the id that it has', async () => {
    const { front, back } = await joined();
    front.put({ jsonrpc: '2.0', id: 'a', method: 1 });
    front.put([request('b', 'x/y')]);
    await turn();
    expect(front.sent).toMatchObject([
      { id: 'a', error: { code: -32600 } },
      { error: { code: -32600, message: 'batches are not supported here' } },
    ]);
    expect(back.sent).toEqual([]);
  });

  it('without an id where that would end another request of the same pipe', async () => {
    const { front, back, faults } = await joined();
    front.put(request('a', 'x/y'));
    front.put(request('a', 'x/z'));
    await turn();
    expect([front.sent[0]?.id, front.sent[0]?.error?.message]).toEqual([
      undefined,
      'the id is in flight already',
    ]);
    expect(back.sent.map(({ method }) => method)).toEqual(['x/y']);
    expect(faults.map(({ code }) => code)).toEqual(['DUPLICATE_ID']);
  });
});

describe('the versions of a server', () => {
  it('are texts', async () => {
    const { front, back } = await joined({}, false);
    front.put(request('a', 'server/discover', { _meta: modernMeta() }));
    await turn();
    const supportedVersions = ['2026-07-28', '2099-01-01', 7];
    back.put({ jsonrpc: '2.0', id: back.sent[0]?.id, result: { supportedVersions, capabilities: {} } });
    await turn();
    expect(front.sent).toMatchObject([
      { id: 'a', result: { supportedVersions: ['2026-07-28', '2099-01-01'] } },
    ]);
  });
});

it.each([
  ['the transport of the server carries no headers', 'tools/call', {}],
  ['only calls of tools repeat parameters', 'prompts/get', { carriesHeaders: true }],
])('an error about headers is relayed and nothing is sent again: %s', async (_why, method, behind) => {
  const { front, back } = await joined({}, false, behind);
  front.put(request('a', method, { name: 'x', _meta: modernMeta() }));
  await turn();
  const error = { code: -32020, message: 'a header is missing' };
  back.put({ jsonrpc: '2.0', id: back.sent[0]?.id, error });
  await turn();
  expect(back.sent.map((sent) => sent.method)).toEqual([method]);
  expect(front.sent).toMatchObject([{ id: 'a', error }]);
});

it('a call that lacks a header is sent once more, after the list that names it', async () => {
  const { front, back } = await joined({}, false, { carriesHeaders: true });
  const params = { name: 'query', arguments: { region: 'west' }, _meta: modernMeta() };
  front.put(request('a', 'tools/call', params));
  await turn();
  back.put({ jsonrpc: '2.0', id: back.sent[0]?.id, error: { code: -32020, message: 'a header is missing' } });
  await turn();
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
  const tools = [{ name: 'query', inputSchema: { type: 'object', properties } }];
  back.put({ jsonrpc: '2.0', id: back.sent.at(-1)?.id, result: { tools } });
  await turn();
  expect(back.sent.map(({ method }) => method)).toEqual(['tools/call', 'tools/list', 'tools/call']);
  expect(back.envelopes.at(-1)?.headers).toMatchObject({ 'param.region': 'west' });
  back.put({ jsonrpc: '2.0', id: back.sent.at(-1)?.id, result: { content: [] } });
  await turn();
  expect(front.sent).toEqual([{ jsonrpc: '2.0', id: 'a', result: { content: [] } }]);
});

it('a call of a revision with a handshake is not repeated for its headers', async () => {
  const { front, back } = await joined({}, true, { carriesHeaders: true });
  front.put(request('a', 'tools/call', { name: 'query' }));
  await turn();
  const error = { code: -32020, message: 'a header is missing' };
  back.put({ jsonrpc: '2.0', id: back.sent[0]?.id, error });
  await turn();
  expect(back.sent.map(({ method }) => method)).toEqual(['tools/call']);
  expect(front.sent).toEqual([{ jsonrpc: '2.0', id: 'a', error }]);
});

it('a call keeps the header parameters of its client, until the bridge has relayed the list that defines them', async () => {
  const { front, back } = await joined({ carriesHeaders: true }, false, { carriesHeaders: true });
  const head = { version: '2026-07-28', name: 'query' };
  const ask = async (id: number, method: string, params: object, headers: object) => {
    const all = { ...params, _meta: modernMeta() };
    front.putOn(request(id, method, all), { headers: { ...head, method, ...headers } });
    await turn();
    return back.envelopes.at(-1)?.headers;
  };
  const params = { name: 'query', arguments: { region: 'west' } };
  const headers = { ...head, method: 'tools/call' };
  const kept = { 'param.other': 'x' };
  expect(await ask(1, 'tools/call', params, kept)).toEqual({ ...headers, ...kept });
  await ask(2, 'tools/list', {}, {});
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
  const tools = [{ name: 'query', inputSchema: { type: 'object', properties } }];
  back.put({ jsonrpc: '2.0', id: back.sent.at(-1)?.id, result: { tools } });
  await turn();
  const given = { 'param.region': 'west' };
  expect(await ask(3, 'tools/call', params, { ...given, ...kept })).toEqual({ ...headers, ...given });
});
