import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { type ConnectionHandler, chaos, type Transport } from '@rxmcp/transport';
import type { InjectionResult, SessionOpener, Fixture } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { vi } from 'vitest';
import { createHttpTransport } from '../src/client/http.js';
import { timing } from '../src/client/time/timing.js';
import { fetchHandler } from '../src/fetch.js';
import { serveHttp } from '../src/node.js';

const legacy = '2025-11-25';
const modern = '2026-07-28';
/** The rules wait for ends that take a user's patience otherwise. */
const impatient = {
  ...timing,
  closeTimeoutMs: 1_000,
  firstRetryDelayMs: 10,
  maxRetryDelayMs: 50,
  maxStandingFailures: 1,
};

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What serves, and how the kit reaches into it. */
type Served = Pick<
  Fixture,
  'transport' | 'close' | 'cutLane' | 'injectFrame' | 'notInjectable' | 'closeIdle' | 'relay'
>;
export type ServeRaw = (acceptor: ConnectionHandler) => Promise<Served>;

/** Requests that tell their own revision: one connection serves them all. */
export function endpoint(served: Served): Fixture {
  return {
    ...served,
    acceptsAt: 'endpoint',
    prepare(message, envelope) {
      if (!('method' in message)) return { message, options: envelope };
      const _meta = { [META_KEYS.protocolVersion]: modern, [META_KEYS.clientCapabilities]: {} };
      const { method, params } = message;
      return {
        message: { ...message, params: { ...params, _meta } },
        options: { ...envelope, version: modern, headers: { version: modern, method, ...envelope.headers } },
      };
    },
  };
}

/** Sessions: an unexpected frame belongs to none of them. */
export function session({ injectFrame, notInjectable = [], ...served }: Served): Fixture {
  return {
    ...served,
    notInjectable: ['served', ...notInjectable],
    acceptsAt: 'session',
    resumesLanes: true,
    async openSession({ request, notify }: SessionOpener) {
      const clientInfo = { name: 'kit', version: '1' };
      await request('initialize', { protocolVersion: legacy, capabilities: {}, clientInfo });
      await notify('notifications/initialized', {}, { completesHandshake: true, version: legacy });
    },
    ...(injectFrame === undefined
      ? {}
      : { injectFrame: (towards, frame) => towards === 'dialled' && injectFrame(towards, frame) }),
  };
}

/** Sockets of this machine. */
export async function overSockets(acceptor: ConnectionHandler): Promise<Served> {
  const posts: ServerResponse[] = [];
  /** Those without a request so far, which Node.js does not count as idle: `fetch` opens one in the place of each that it aborts. */
  const unused = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const handle = await serveHttp(acceptor, { server });
  // Before the endpoint: it passes only requests for other paths on to listeners that were there before it.
  server.prependListener(
    'request',
    ({ method, socket }, response) => (
      unused.delete(socket),
      void (method === 'POST' && posts.push(response))
    ),
  );
  const newest = async (streams: boolean): Promise<ServerResponse | undefined> => {
    const find = (): ServerResponse | undefined =>
      posts.findLast((post) => !post.writableEnded && !post.destroyed && (post.headersSent || !streams));
    await vi.waitUntil(() => find() !== undefined, { interval: 1 });
    return find();
  };
  const url = new URL(handle.url);
  const relay = await relayTo({ port: Number(url.port) });
  url.port = String(relay.port);
  return {
    transport: createHttpTransport(url, {}, impatient),
    relay,
    async close() {
      await handle.close();
      await relay.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async closeIdle() {
      // A socket may still be at its last request.
      const closed = (): boolean => {
        server.closeIdleConnections();
        for (const socket of unused) socket.end();
        return relay.sockets === 0;
      };
      await vi.waitUntil(closed, { interval: 1, timeout: 20_000 });
    },
    async cutLane() {
      (await newest(false))?.socket?.destroy();
    },
    notInjectable: ['batch'],
    async injectFrame(towards, frame) {
      if (towards === 'served') return posted(handle.url, frame);
      if (typeof frame !== 'string') return false;
      (await newest(true))?.write(`data: ${frame}\n\n`);
    },
  };
}

/** Requests and responses of the platform, without any socket. */
export async function overFetch(acceptor: ConnectionHandler): Promise<Served> {
  const handler = fetchHandler(acceptor, {});
  const url = new URL('http://127.0.0.1/mcp');
  const fetch: Fetch = (to, init) => handler(new Request(to, init));
  return {
    transport: createHttpTransport(url, { fetch }, impatient),
    close: () => handler.close(),
    notInjectable: ['batch', 'dialled'],
    injectFrame: (towards, frame) => towards === 'served' && posted(url.href, frame, fetch),
  };
}

/** The same in bad weather, and without the rules of a relay, which would only repeat. */
export function inChaos(serve: ServeRaw): ServeRaw {
  return async (acceptor) => {
    const { relay: _, ...served } = await serve(acceptor);
    const transport: Transport = chaos(served.transport, { seed: 7 });
    return { ...served, transport };
  };
}

/** Posts a custom body in the place of a message, and returns the code of the response. */
async function posted(
  url: string,
  frame: string | Uint8Array,
  send: Fetch = fetch,
): Promise<InjectionResult> {
  // This revision has no batches.
  if (typeof frame === 'string' && frame.startsWith('[{')) return false;
  const response = await send(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': modern,
    },
    body: frame as BodyInit,
  });
  const text = await response.text();
  if (response.status === 202) return true;
  const { error } = JSON.parse(text) as { error: { code: number } };
  return { errorCode: error.code };
}
