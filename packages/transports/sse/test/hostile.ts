import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Recording, recording } from '@rxmcp/transport-tck/recording';
import type { Connection } from '@rxmcp/transport';
import { onTestFinished } from 'vitest';
import { type SseOptions, sse } from '../src/index.js';

/** A server of a test's own making. */
export interface Hostile {
  readonly url: string;
  readonly origin: string;
  readonly server: Server;
  /** Every request so far, as `GET /sse`. */
  readonly requests: readonly string[];
  /** The headers of each of them. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** How many sockets are open of those that carried a request. `fetch` may open one in advance for a next request. */
  sockets(): number;
}

type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** Serves streams by `get` and posts by `post`, which takes everything where it is missing. */
export async function hostile(
  get: Responder,
  post: Responder = (response) => void response.writeHead(202).end(),
): Promise<Hostile> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    requests.push(`${String(request.method)} ${String(request.url)}`);
    headers.push(request.headers);
    response.on('error', () => undefined);
    const { socket } = request;
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket));
    sockets.add(socket);
    request.resume();
    if (request.method === 'GET') get(response, request);
    else post(response, request);
  });
  server.on('connection', (socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { url: `${origin}/sse`, origin, server, requests, headers, sockets: () => sockets.size };
}

/** Opens a stream as a conforming server does. */
export function streaming(response: ServerResponse, endpoint = '/messages?sessionId=1'): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
  return response;
}

/** One message as an event. */
export function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Dials and starts; the connection goes with the test. */
export async function connected(
  url: string,
  options: SseOptions = {},
): Promise<{ connection: Connection; record: Recording }> {
  const connection = await sse(url, options).dial();
  onTestFinished(() => connection.close());
  const record = recording();
  connection.start(record);
  return { connection, record };
}
