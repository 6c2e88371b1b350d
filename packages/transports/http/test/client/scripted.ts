import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonObject } from '@rxmcp/jsonrpc';
import { onTestFinished } from 'vitest';

/** One request as a scripted server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON; empty without one. */
  readonly message: JsonObject;
  readonly raw: IncomingMessage;
  readonly at: number;
}

/** What a server does with one request. */
export type Script = (seen: Seen, response: ServerResponse) => unknown;

/** A real HTTP server on loopback that does what the test sets; it ends with its test. */
export interface Scripted {
  readonly url: string;
  readonly seen: Seen[];
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts a scripted server. */
export async function scripted(script: Script): Promise<Scripted> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const message = (body === '' ? {} : JSON.parse(body)) as JsonObject;
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body, message, raw: request, at: performance.now() };
      seen.push(one);
      script(one, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  onTestFinished(close);
  return { url: `http://127.0.0.1:${String(port)}/mcp`, seen, sockets, close };
}

/** Answers with a JSON body. */
export function json(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The result of a request. */
export function resultOf(seen: Seen, result: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id: seen.message['id'], result };
}

/** Begins a stream of events, its head sent at once. */
export function events(response: ServerResponse, headers: object = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  return response;
}

/** The text of an event with a message. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}
