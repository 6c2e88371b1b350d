import { once as event } from 'node:events';
import { serveHttp } from '@rxmcp/http/node';
import { serveSse } from '@rxmcp/sse/node';
import type { Authenticator } from '@rxmcp/transport/guard';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { http } from '@rxmcp/http';
import { sse } from '@rxmcp/sse';
import { webSocket } from '@rxmcp/websocket';
import { createServer, defineClient, defineServer, once, textOf, tool } from 'rxmcp';
import { elicit } from 'rxmcp/elicitation';
import { offerTools, tools } from 'rxmcp/tools';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { server } from './protected.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

/** Accepts `principal:minutes:scopes`, a token that expires so many minutes after the test began. */
function authenticator(): Authenticator {
  const begun = Date.now();
  return (head) => {
    const [principal = '', minutes = '', scopes = ''] = (head.headerValues('authorization')[0] ?? '')
      .replace('Bearer ', '')
      .split(':');
    const expiresAt = begun + Number(minutes) * minute;
    return expiresAt > Date.now() ? { principal, scopes: scopes.split(' '), expiresAt } : { status: 401 };
  };
}

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'desk', version: '1.0.0' },
  },
};

interface Opened {
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;
  /** The status of a message that is posted with this token. */
  post(token: string, message?: object): Promise<number>;
}

const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/** The standing stream of a legacy session. */
async function session(token: string): Promise<Opened> {
  const { url, close } = await serveHttp(server, { authenticate: authenticator() });
  onTestFinished(() => close());
  const send = (message: object, headers: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) });
  const first = await send(initialize, headersOf(token));
  const id = first.headers.get('mcp-session-id') ?? '';
  await first.text();
  const inSession = (other: string): Record<string, string> => ({
    ...headersOf(other),
    'mcp-session-id': id,
  });
  const stream = await fetch(url, { headers: inSession(token) });
  return {
    ended: stream.text(),
    async post(other, message = { method: 'ping' }) {
      const response = await send(message, inSession(other));
      await response.text();
      return response.status;
    },
  };
}

async function overSse(token: string): Promise<Opened> {
  const { url, close } = await serveSse(server, {
    authenticate: authenticator(),
    firstMessageTimeoutMs: Infinity,
  });
  onTestFinished(() => close());
  const stream = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  const endpoint = /data: (.*)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
  const ended = (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    ended,
    async post(other, message = initialize) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
      const response = await fetch(new URL(endpoint, url), {
        method: 'POST',
        headers: headersOf(other),
        body,
      });
      await response.text();
      return response.status;
    },
  };
}

describe.each([
  ['a legacy session and its stream', session, 200],
  ['a stream of HTTP+SSE', overSse, 202],
] as const)('%s', (_name, open, accepted) => {
  it('ends with the token that it was opened with', async () => {
    const { ended, post } = await open('ada:1:read');
    expect(await post('ada:1:read')).toBe(accepted);
    vi.advanceTimersByTime(minute);
    await ended;
    expect(await post('ada:1:read')).toBe(401);
    expect(await post('ada:2:read')).toBe(404);
  });

  it('is extended by a later token of the same principal with the same scopes or more', async () => {
    const { ended, post } = await open('ada:1:read');
    expect(await post('ada:2:read write')).toBe(accepted);
    vi.advanceTimersByTime(minute);
    expect(await post('ada:2:read')).toBe(accepted);
    vi.advanceTimersByTime(minute);
    await ended;
  });

  it('is not extended by a token with fewer scopes, nor by another principal, whom it refuses', async () => {
    const { ended, post } = await open('ada:1:read write');
    expect(await post('ada:2:read')).toBe(accepted);
    expect(await post('eve:2:read write')).toBe(404);
    vi.advanceTimersByTime(minute);
    await ended;
  });

  it('ends with the token of a watch that has more scopes, where no later one has them', async () => {
    const { ended, post } = await open('ada:9:read');
    const watch = { id: 2, method: 'resources/subscribe', params: { uri: 'note://1' } };
    expect(await post('ada:9:read')).toBe(accepted);
    expect(await post('ada:1:read write', watch)).toBe(accepted);
    expect(await post('ada:8:read')).toBe(accepted);
    vi.advanceTimersByTime(minute);
    await ended;
    expect(await post('ada:9:read')).toBe(404);
  });

  it('outlives the longest delay of a timer', async () => {
    const days = 30 * 24 * 60;
    const { ended, post } = await open(`ada:${String(days)}:read`);
    vi.advanceTimersByTime(2 ** 31);
    expect(await post(`ada:${String(days)}:read`)).toBe(accepted);
    vi.advanceTimersByTime(days * minute - 2 ** 31);
    await ended;
  });
});

it('a listen stream of the modern era ends with its token, while a call does not', async () => {
  let finish: (text: string) => void = () => undefined;
  const slow = tool('slow', () => new Promise<string>((resolve) => (finish = resolve)));
  const desk = createServer({ name: 'desk', version: '1.0.0', tools: [slow] });
  const { url, close } = await serveHttp(desk, { authenticate: authenticator() });
  onTestFinished(() => close());
  const ask = (method: string, params: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...headersOf('ada:1:read'),
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(method === 'tools/call' && { 'mcp-name': 'slow' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modern } }),
    });
  const listening = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(listening.headers.get('content-type')).toBe('text/event-stream');
  const ended = listening.text();
  const called = ask('tools/call', { name: 'slow' });
  const running = finish;
  await expect.poll(() => finish).not.toBe(running);
  vi.advanceTimersByTime(minute);
  expect(await ended).toContain('notifications/subscriptions/acknowledged');
  finish('done');
  expect(await (await called).text()).toContain('done');
});

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

it('the state of an ask is of use to the same principal only, with a token that is valid', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const schema = z.object({ colour: z.string() });
  const paint = tool('paint', async (_args, ctx) => {
    const found = await elicit(ctx, 'colour', { message: 'Which colour?', schema });
    return `${String(ctx.caller.principal)} ${found.action === 'accept' ? found.content.colour : 'none'}`;
  });
  const desk = createServer({ name: 'desk', version: '1.0.0', tools: [paint] });
  const { url, close } = await serveHttp(desk, { authenticate: authenticator() });
  onTestFinished(() => close());
  const ask = async (token: string, more: object): Promise<readonly [number, string]> => {
    const _meta = { ...modern, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const params = { name: 'paint', arguments: {}, ...more, _meta };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headersOf(token),
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'paint',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return [response.status, await response.text()];
  };
  const [, asked] = await ask('ada:1:read', {});
  const requestState = /"requestState":"([^"]+)"/.exec(asked)?.[1];
  const inputResponses = { colour: { action: 'accept', content: { colour: 'red' } } };
  const answer = { requestState, inputResponses };
  expect((await ask('eve:1:read', answer))[1]).toContain('-32602');
  vi.advanceTimersByTime(minute);
  expect((await ask('ada:1:read', answer))[0]).toBe(401);
  // A later token of the same principal, as for a session.
  expect((await ask('ada:9:read', answer))[1]).toContain('ada red');
  vi.advanceTimersByTime(15 * minute);
  expect((await ask('ada:99:read', answer))[1]).toContain('-32602');
});

it('a WebSocket is closed with 3000 when its token expires', async () => {
  const { url, close } = await serveWebSocket(server, {
    authenticate: authenticator(),
    firstMessageTimeoutMs: Infinity,
  });
  onTestFinished(() => close());
  const socket = new WebSocket(url, 'mcp', { headers: { authorization: 'Bearer ada:1:read' } });
  await event(socket, 'open');
  const closed = event(socket, 'close');
  vi.advanceTimersByTime(minute);
  const [code, reason] = (await closed) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([3000, 'the credentials of this connection have expired']);
});

describe.each([
  ['a legacy session', serveHttp, http],
  ['HTTP+SSE', serveSse, sse],
  ['a WebSocket', serveWebSocket, webSocket],
] as const)('a call over %s that runs when its token expires', (_name, serve, transport) => {
  async function calling() {
    let finish: (text: string) => void = () => undefined;
    const slow = tool('slow', () => new Promise<string>((resolve) => (finish = resolve)));
    const desk = defineServer({ info: { name: 'desk', version: '1.0.0' }, offers: [offerTools([slow])] });
    let open = 0;
    desk.connections$.subscribe((connections) => (open = connections.length));
    const { url, close } = await serve(desk, { authenticate: authenticator() });
    onTestFinished(() => close());
    const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, eras: ['legacy'] });
    const headers = { authorization: 'Bearer ada:1:read' };
    const remote = await client.connect(transport(url, { headers }));
    onTestFinished(() => remote.close());
    const idle = finish;
    const called = once(tools(remote).call('slow', {}, { totalTimeoutMs: Infinity }));
    await expect.poll(() => finish).not.toBe(idle);
    vi.advanceTimersByTime(minute);
    return { called, finish: (text: string) => finish(text), connections: () => open };
  }

  it('gets its result, and then nothing is left open', async () => {
    const { called, finish, connections } = await calling();
    vi.advanceTimersByTime(4 * minute);
    expect(connections()).toBe(1);
    finish('done');
    expect(textOf(await called)).toBe('done');
    const later = (): number => {
      vi.advanceTimersByTime(1_000);
      return connections();
    };
    await expect.poll(later).toBe(0);
  });

  it('fails where it takes five minutes more', async () => {
    const { called, connections } = await calling();
    called.catch(() => undefined);
    for (let seconds = 0; seconds < 300; seconds += 1) vi.advanceTimersByTime(1_000);
    await expect(called).rejects.toThrow();
    await expect.poll(connections).toBe(0);
  });
});
