import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Attack } from './attacks.js';

const versionAndCapabilities = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The `_meta` of a modern request. */
export const modernMeta = {
  ...versionAndCapabilities,
  'io.modelcontextprotocol/clientInfo': { name: 'mallory', version: '1' },
};
const bytes = 'x'.repeat(3_900_000);
/** As many values as one message may have. */
const values = Array.from({ length: 190_000 }, () => ({}));

/** Ends everything that an attacker has open. */
export type EndAttack = () => void;

/** The request that opens a session of the legacy era. */
export function initialize(capabilities: object, clientInfo: object, id = 0): object {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

const padding: Partial<Record<Attack['bytesIn'], object>> = {
  arguments: { pad: bytes },
  values: { pad: values },
};

/** The message of an attack: 3.9 MB, or 0.6 MB of small values. */
function messageOf({ era, method, bytesIn }: Attack, id: number): object {
  const clientInfo = { name: 'mallory', version: '1', ...(bytesIn === 'clientInfo' ? { title: bytes } : {}) };
  if (method === 'initialize') {
    const experimental = bytesIn === 'capabilities' ? { big: { bytes } } : {};
    return initialize({ experimental }, clientInfo, id);
  }
  const _meta = {
    ...(era === 'modern'
      ? { ...versionAndCapabilities, 'io.modelcontextprotocol/clientInfo': clientInfo }
      : {}),
    ...(bytesIn === '_meta' ? { 'example.com/bytes': bytes } : {}),
  };
  const wanted =
    method === 'tools/call'
      ? { name: 'wait', arguments: { ...padding[bytesIn] } }
      : { notifications: { toolsListChanged: true, ...(bytesIn === 'arguments' ? { bytes } : {}) } };
  return { jsonrpc: '2.0', id, method, params: { ...wanted, _meta } };
}

/** Returns the messages of an attack by their ids. What is large in them is encoded once. */
function textsOf(attack: Attack): (id: number) => string {
  const text = JSON.stringify(messageOf(attack, 0));
  return (id) => text.replace('"id":0,', `"id":${String(id)},`);
}

const headers = (name: string): Record<string, string> => ({
  host: 'localhost',
  authorization: `Bearer ${name}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/** The headers of a modern request. */
export function modernHeaders(name: string, method: string, target?: string): Record<string, string> {
  return {
    ...headers(name),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(target === undefined ? {} : { 'mcp-name': target }),
  };
}

/** Sends a message many times over HTTP, each in a request of its own. */
export async function overHttp(port: number, attack: Attack, times: number): Promise<EndAttack> {
  const session = attack.era === 'legacy' && attack.method !== 'initialize' ? await handshake(port) : {};
  const target = attack.method === 'tools/call' ? 'wait' : undefined;
  const own =
    attack.era === 'modern'
      ? modernHeaders('mallory', attack.method, target)
      : { ...headers('mallory'), ...session };
  const textOf = textsOf(attack);
  const end = await inLanes(times, (id) => post(port, '/mcp', own, textOf(id), attack.then === 'leave'));
  return () => {
    end();
    // Its handlers continue until it ends.
    if ('mcp-session-id' in session) request({ port, path: '/mcp', method: 'DELETE', headers: own }).end();
  };
}

/** Sends a message many times over HTTP+SSE: a session for each handshake, or one for all calls. */
export async function overSse(port: number, attack: Attack, times: number): Promise<EndAttack> {
  const leaves = attack.then === 'leave';
  const own = headers('mallory');
  const textOf = textsOf(attack);
  if (attack.method === 'initialize')
    return inLanes(times, async (id) => {
      const { path, end } = await openSse(port, own);
      const endPost = await post(port, path, own, textOf(id), leaves);
      return () => (endPost(), end());
    });
  const { path, end } = await openSse(port, own);
  const first = { ...attack, method: 'initialize', bytesIn: 'arguments' } as const;
  await post(port, path, own, textsOf(first)(0), false);
  const endAll = await inLanes(times, (id) => post(port, path, own, textOf(id), leaves));
  return () => (endAll(), end());
}

/** Makes requests, eight at a time. */
async function inLanes(times: number, send: (id: number) => Promise<EndAttack>): Promise<EndAttack> {
  const ends: EndAttack[] = [];
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let id = lane; id < times; id += 8) ends.push(await send(id + 1));
  });
  await Promise.all(lanes);
  return () => {
    for (const end of ends) end();
  };
}

/** Sends a request, and resolves once it is answered, or the server can have read it. */
export async function post(
  port: number,
  path: string,
  own: Record<string, string>,
  text: string,
  leaves: boolean,
): Promise<EndAttack> {
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers: own });
  await new Promise<void>((resolve) => {
    sent.on('response', (response) => void response.resume());
    sent.on('response', () => resolve());
    sent.on('error', () => resolve());
    sent.end(text, () => {
      // Long enough for the server to have read it.
      setTimeout(() => {
        if (leaves) sent.destroy();
        resolve();
      }, 50);
    });
  });
  return () => void sent.destroy();
}

/** Opens a session over HTTP+SSE. */
export async function openSse(
  port: number,
  own: Record<string, string>,
): Promise<{ path: string; end: EndAttack }> {
  const stream = request({ port, host: '127.0.0.1', path: '/sse', headers: own });
  const path = await new Promise<string>((resolve) => {
    stream.on('error', () => resolve('/sse'));
    stream.on('response', (response) => {
      response.on('error', () => undefined);
      response.on('data', (data: Buffer) => {
        const [, found] = /event: endpoint\ndata: (.*)\n/.exec(data.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
      // It was refused.
      response.on('end', () => resolve('/sse'));
    });
    stream.end();
  });
  return { path, end: () => void stream.destroy() };
}

async function handshake(port: number): Promise<Record<string, string>> {
  const message = initialize({}, { name: 'mallory', version: '1' });
  const response = await fetch(`http://127.0.0.1:${String(port)}/mcp`, {
    method: 'POST',
    headers: headers('mallory'),
    body: JSON.stringify(message),
  });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** Sends a message many times over a few WebSocket connections. */
export async function overWebSocket(port: number, attack: Attack, times: number): Promise<EndAttack> {
  const sockets = await Promise.all(Array.from({ length: 4 }, () => openWebSocket(port)));
  const textOf = textsOf(attack);
  const lanes = sockets.map(async (socket, lane) => {
    for (let id = lane; id < times && socket.readyState === socket.OPEN; id += 4)
      await new Promise<void>((resolve) => {
        socket.send(textOf(id + 1), () => resolve());
      });
  });
  await Promise.all(lanes);
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

/** Opens a WebSocket; one that is refused is closed. */
export async function openWebSocket(port: number, name = 'mallory'): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/ws`, ['mcp'], { headers: headers(name) });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
  return socket;
}

/** Opens sockets that write something and read nothing, or everything. */
export function rawSockets(port: number, count: number, data: string | Buffer, reads = false): EndAttack {
  const sockets: Socket[] = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    if (reads) socket.resume();
    else socket.pause();
    socket.write(data);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** One request as text. */
export function rawRequest(message: object, own: Record<string, string>): string {
  const body = JSON.stringify(message);
  const all = { 'content-length': String(Buffer.byteLength(body)), ...own };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Opens WebSockets and uses each. */
export async function overSockets(
  port: number,
  count: number,
  use: (socket: WebSocket, index: number) => Promise<void> | void,
): Promise<EndAttack> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openWebSocket(port)));
  await Promise.all(sockets.map(use));
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

/** Sends a message over a WebSocket. */
export const send = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));

/** Waits some real time. */
export const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** An attack that is no single message, on the port over HTTP or that of the socket. */
export type RawAttack = (port: number, socketPort: number) => Promise<EndAttack> | EndAttack;
