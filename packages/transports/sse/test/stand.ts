import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Connection, MemoryBudget, Transport } from '@rxmcp/transport';
import { connectionHandler, type Recording, recording } from '@rxmcp/transport-tck/recording';
import { onTestFinished } from 'vitest';
import { type SseOptions, sse } from '../src/index.js';
import { type ServeSseOptions, type SseServeHandle, serveSse } from '../src/node.js';

/** One session as its server sees it. */
export interface ServedEnd {
  readonly connection: Connection;
  readonly record: Recording;
}

/** A served stand that answers nothing automatically; it ends with the test. */
export interface Stand {
  readonly handle: SseServeHandle;
  readonly url: string;
  readonly origin: string;
  /** Every session so far. */
  readonly sessions: readonly ServedEnd[];
  transport(options?: SseOptions): Transport;
}

export async function stand(options: ServeSseOptions = {}, memory?: MemoryBudget): Promise<Stand> {
  const sessions: ServedEnd[] = [];
  const acceptor = connectionHandler((connection) => {
    const record = recording();
    sessions.push({ connection, record });
    return record;
  });
  const handle = await serveSse({ ...acceptor, ...(memory && { memory }) }, options);
  onTestFinished(() => handle.close());
  const { url } = handle;
  return {
    handle,
    url,
    origin: new URL(url).origin,
    sessions,
    transport: (clientOptions) => sse(url, clientOptions),
  };
}

/** What one request came to. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How a request differs from an empty GET. */
export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** Makes one request with exactly these headers. */
export function ask(url: string, asking: Asking = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, asking, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
      });
    });
    outgoing.on('error', reject);
  });
}

/** Posts a message as clients do. */
export function postTo(
  url: string,
  body: string | Uint8Array,
  headers: Asking['headers'] = {},
): Promise<Reply> {
  return ask(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

/** A stream opened by hand. */
export interface RawStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything that came so far. */
  text(): string;
  /** Where to post, as it was said. */
  readonly endpoint: string;
  /** What the server says has ended. */
  readonly ended: () => boolean;
  readonly socket: Socket;
  readonly incoming: IncomingMessage;
}

/** Opens a stream and waits for its first event. */
export function openRaw(url: string, asking: Asking = {}): Promise<RawStream> {
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, asking, (incoming) => {
      let text = '';
      let ended = false;
      let opened = false;
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (opened) return;
        const endpoint = /^event: endpoint\ndata: (.*)\n\n/.exec(text)?.[1];
        if (endpoint === undefined) return;
        opened = true;
        const { statusCode: status = 0, headers, socket } = incoming;
        const from = new URL(endpoint, url).href;
        resolve({ status, headers, text: () => text, endpoint: from, ended: () => ended, socket, incoming });
      });
      incoming.on('end', () => (ended = true));
      incoming.on('error', () => undefined);
    });
    outgoing.on('error', reject);
    onTestFinished(() => void outgoing.destroy());
  });
}

function begin(url: string, asking: Asking, answered: (incoming: IncomingMessage) => void): ClientRequest {
  const { method = 'GET', headers = {}, body } = asking;
  const { hostname, port, pathname, search } = new URL(url);
  const path = pathname + search;
  const outgoing = request({
    hostname,
    port,
    path,
    method,
    headers,
    agent: false,
    setHost: !('host' in headers),
  });
  outgoing.on('response', answered);
  outgoing.end(body);
  return outgoing;
}

/** Writes raw bytes to a server and gives all that comes back until it closes, or until `enough` comes. */
export function raw(origin: string, bytes: string, enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (enough?.test(text) === true) done();
    });
    socket.on('error', (error) => (text === '' ? reject(error) : done()));
    socket.on('close', done);
    socket.write(bytes);
  });
}

export { turnsUntil } from '../../../../vitest.turns.js';
