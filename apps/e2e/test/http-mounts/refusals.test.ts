import { serveHttp, type HttpServeHandle } from '@rxmcp/http/node';
import { bearer } from '@rxmcp/transport/guard';
import { defineServer, offerMethod } from 'rxmcp';
import { offerTools, text, tool } from 'rxmcp/tools';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

// Many exchanges each: where the machine is busy that takes longer than usual.

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const legacy = '2025-11-25';
const modern = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const release: (() => void)[] = [];
const hold = tool('hold', {}, async () => {
  await new Promise<void>((go) => release.push(go));
  return text('held');
});
const echo = tool('echo', { input: z.object({ text: z.string() }) }, ({ text: said }) => text(said));
const who = tool('who', {}, (_args, { caller }) => text(caller.principal ?? 'nobody'));
const asks = tool('asks', { needs: ['sampling'] }, () => text('asked'));
const server = defineServer({
  info: { name: 'desk', version: '1' },
  offers: [offerTools([hold, echo, who, asks]), offerMethod('desk/own', {}, () => ({}))],
});

let handle: HttpServeHandle;
beforeEach(async () => {
  handle = await serveHttp(server, { authenticate: bearer({ ada: 'token-a', bob: 'token-b' }) });
});
afterEach(async () => {
  for (const go of release.splice(0)) go();
  await handle.close();
});

const as = { ada: { authorization: 'Bearer token-a' }, bob: { authorization: 'Bearer token-b' } };

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method: 'POST', headers: { ...usual, ...as.ada, ...headers }, body: JSON.stringify(body) };
  return fetch(handle.url, init);
}

/** A modern request with the headers that belong to it, as far as they are not replaced. */
function ask(
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
  id: unknown = 1,
): Promise<Response> {
  const all = {
    'mcp-protocol-version': modern,
    'mcp-method': method,
    'mcp-name': params.name as string | undefined,
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return post({ jsonrpc: '2.0', id, method, params: { _meta: meta, ...params } }, Object.fromEntries(given));
}

async function open(
  version = legacy,
  headers: Record<string, string> = as.ada,
): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answer = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = answer.headers.get('mcp-session-id') ?? '';
  expect(answer.status).toBe(200);
  await answer.text();
  return {
    ...headers,
    'mcp-session-id': id,
    ...(version > '2025-03-26' && { 'mcp-protocol-version': version }),
  };
}

async function answered(answer: Promise<Response>): Promise<[status: number, code: unknown]> {
  const { status } = await answer;
  const { error } = (await (await answer).json()) as { error?: { code: number } };
  return [status, error?.code];
}

describe('the server of the core behind HTTP', () => {
  it('row 33: unknown methods, revisions and capabilities, in both eras', async () => {
    expect(await answered(ask('nobody/knows'))).toEqual([404, -32601]);
    const future = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const version = { 'mcp-protocol-version': '2027-01-01' };
    const unsupported = await ask('tools/list', { _meta: future }, version);
    expect(unsupported.status).toBe(400);
    const { error } = (await unsupported.json()) as {
      error: { code: number; data: { supported: string[] } };
    };
    expect(error.code).toBe(-32022);
    expect(error.data).toMatchObject({
      requested: '2027-01-01',
      supported: expect.arrayContaining([modern]),
    });
    const lacking = await ask('tools/call', { name: 'asks', arguments: {} });
    expect(lacking.status).toBe(400);
    expect(await lacking.json()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    });
    const headers = await open();
    expect(await answered(post({ jsonrpc: '2.0', id: 1, method: 'nobody/knows' }, headers))).toEqual([
      200, -32601,
    ]);
  });

  it('row 31: missing metadata', async () => {
    for (const name of Object.keys(meta)) {
      const rest = Object.fromEntries(Object.entries(meta).filter(([key]) => key !== name));
      expect(await answered(ask('tools/list', { _meta: rest }))).toEqual([400, -32602]);
    }
    expect(await answered(ask('tools/list', { _meta: {} }))).toEqual([400, -32602]);
    expect(await answered(ask('tools/list', { _meta: undefined }))).toEqual([400, -32602]);
    const seven = { ...meta, 'io.modelcontextprotocol/protocolVersion': 7 };
    expect(await answered(ask('tools/list', { _meta: seven }))).toEqual([400, -32602]);
    expect(await answered(ask('initialize'))).toEqual([404, -32601]);
  });

  it('row 32: headers that differ from the body', async () => {
    const call = { name: 'echo', arguments: { text: 'a' } };
    expect((await ask('tools/call', call)).status).toBe(200);
    expect((await ask('tools/call', call, { 'mcp-name': '=?base64?ZWNobw==?=' })).status).toBe(200);
    for (const headers of [
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': legacy },
      { 'mcp-method': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'Tools/Call' },
      { 'mcp-name': undefined },
      { 'mcp-name': 'who' },
      { 'mcp-name': '=?base64?d2hv?=' },
    ]) {
      expect([headers, await answered(ask('tools/call', call, headers))]).toEqual([headers, [400, -32020]]);
    }
    expect((await ask('tools/call', call, { 'mcp-param-unknown': 'x' })).status).toBe(200);
  });

  it('row 43 and fault 33: an id that is in flight already, within its session only', async () => {
    const headers = await open();
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'hold', arguments: {} } };
    const first = post(call, headers);
    await vi.waitUntil(() => release.length === 1);
    const second = await post(call, headers);
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ id: 7, error: { code: -32600 } });
    const elsewhere = post(call, await open());
    const alone = [ask('tools/call', call.params, {}, 7), ask('tools/call', call.params, {}, 7)];
    await vi.waitUntil(() => release.length === 4);
    for (const go of release.splice(0)) go();
    for (const answer of [first, elsewhere, ...alone]) {
      expect(await (await answer).json()).toMatchObject({ id: 7, result: { content: [{ text: 'held' }] } });
    }
    const again = post(call, headers);
    await vi.waitUntil(() => release.length === 1);
    for (const go of release.splice(0)) go();
    expect((await again).status).toBe(200);
  });

  it('row 42: a second handshake', async () => {
    const headers = await open();
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const again = post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
    expect(await answered(again)).toEqual([400, -32600]);
  });

  it('row 13: batches reach their handlers entry by entry', async () => {
    const headers = await open('2025-03-26');
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: `no ${String(id)}` } },
    });
    const answer = await post([call(1), { jsonrpc: '2.0', id: 2, method: 'nobody/knows' }, call(3)], headers);
    const body = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    for (const part of ['no 1', '-32601', 'no 3']) expect(body).toContain(part);
    expect(await answered(post([call(1)], await open('2025-06-18')))).toEqual([400, -32600]);
  });

  it('row 37: the handler knows the caller, in and without a session, and the caller owns the session', async () => {
    const call = { name: 'who', arguments: {} };
    expect(await (await ask('tools/call', call)).text()).toContain('"ada"');
    expect(await (await ask('tools/call', call, as.bob)).text()).toContain('"bob"');
    const headers = await open();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    expect(await (await post(message, headers)).text()).toContain('"ada"');
    expect((await post(message, { ...headers, ...as.bob })).status).toBe(404);
  });

  it('a subscription is acknowledged on its stream, and ends with its result when the server drains', async () => {
    const filter = { notifications: { toolsListChanged: true } };
    const answer = await ask('subscriptions/listen', filter, {}, 'sub');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const drained = handle.drain({ timeoutMs: 60_000 });
    const body = await answer.text();
    expect(body.indexOf('notifications/subscriptions/acknowledged')).toBeGreaterThan(0);
    expect(body).toMatch(/"id":"sub","result"/);
    await drained;
  });
});
