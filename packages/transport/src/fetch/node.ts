import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterInput } from '../base/loop-turns.js';
import { onAbort } from '../base/on-abort.js';
import type { Fetch } from './fetch.js';
import { readInTurns } from './read-in-turns.js';
import { redirectStatuses } from './redirects.js';

/** An idle connection is not used again after this time: servers of Node close theirs after 5 s, and what is sent then is lost. */
const agentOptions = { keepAlive: true, timeout: 4_000, onread: readInTurns, highWaterMark: 1_024 } as const;
const agents = {
  'http:': { request: requestHttp, agent: reusingLater(new HttpAgent(agentOptions)) },
  'https:': { request: requestHttps, agent: reusingLater(new HttpsAgent(agentOptions)) },
};
const connectTimeoutMs = 10_000;
const maxResponseHeaders = 256;
const maxInformationalResponses = 16;
/** Headers of the connection, which pages cannot set either. Fetch standard, section 2.2.2. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Statuses whose responses have no body. Fetch standard, section 2.2.3. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Node: the connections of `node:http`, which limits what is kept of a response's head. The `fetch` of Node keeps 16,000 headers of a head
 * that has not ended. Decodes gzip. Rejects as `fetch` does: with the reason of the signal, or with a TypeError and its cause.
 */
export const defaultFetch: Fetch = (address, init) =>
  new Promise((resolve, reject) => {
    const { signal } = init;
    signal?.throwIfAborted();
    const url = new URL(address);
    const { origin } = url;
    const request = open(url, init);
    let response: IncomingMessage | undefined;
    const forget = onAbort(signal ?? undefined, () => {
      const reason = signal?.reason as Error;
      reject(reason);
      response?.destroy(reason);
      request.destroy(reason);
    });
    const failed = (cause: unknown): void =>
      reject(new TypeError(`fetching from "${origin}" failed`, { cause }));
    let informational = 0;
    request.on('information', () => {
      informational += 1;
      // Those that have arrived with it follow.
      if (informational === maxInformationalResponses + 1)
        request.destroy(tooMany(`${maxInformationalResponses} informational responses`));
    });
    request.on('response', (message) => {
      response = message;
      // What is left of the request is not read any more.
      message.on('end', () => {
        if (!request.writableFinished) request.destroy();
      });
      try {
        const accepted = responseOf(message, init);
        resolve(Object.defineProperty(accepted, 'url', { value: url.href }));
      } catch (cause) {
        failed(cause);
        message.destroy();
      }
    });
    request.on('error', failed);
    request.on('close', () => {
      forget();
      failed(new Error('the connection ended without a response'));
    });
  });

/** Reuses a connection only after what arrives next is read: many a server ends the connection with its response. */
function reusingLater(agent: HttpAgent): HttpAgent {
  const [reuse] = agent.listeners('free') as ((socket: Socket, options: unknown) => void)[];
  return agent.removeAllListeners('free').on('free', (socket: Socket, options: unknown) => {
    socket.on('error', ignored);
    afterInput(() => {
      socket.off('error', ignored);
      reuse?.(socket, options);
    }, 2);
  });
}

/** What happens to a connection that no request uses. */
function ignored(): void {}

function open(url: URL, { method = 'GET', headers, body }: RequestInit): ClientRequest {
  const { request: send, agent } = agents[url.protocol as keyof typeof agents] ?? {};
  if (send === undefined) throw new TypeError(`"${url.protocol}" is not a protocol of HTTP: use https:`);
  const sent = new Headers(headers);
  if (!sent.has('accept-encoding')) sent.set('accept-encoding', 'gzip');
  if (!sent.has('user-agent')) sent.set('user-agent', 'rxmcp');
  if (body instanceof URLSearchParams && !sent.has('content-type'))
    sent.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  const own = [...sent].filter(([name]) => !ofConnection.has(name));
  const request = send(url, { agent, method, headers: Object.fromEntries(own) });
  // One more than is accepted, so that a head with more of them is noticed: Node drops them.
  request.maxHeadersCount = maxResponseHeaders + 1;
  limitConnecting(request, url);
  // As bytes: before a text, Node would encode the values of headers as it does the text.
  request.end(body ? Buffer.from(String(body as string | URLSearchParams)) : undefined);
  return request;
}

/** Ends a request whose connection, with TLS, does not open in time. */
function limitConnecting(request: ClientRequest, { protocol }: URL): void {
  request.on('socket', (socket) => {
    if (request.reusedSocket) return;
    const timer = setTimeout(() => {
      request.destroy(failure(`no connection within ${connectTimeoutMs} ms`, 'ETIMEDOUT', 'connect'));
    }, connectTimeoutMs);
    const done = (): void => clearTimeout(timer);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', done).once('close', done);
  });
}

/** The response of a message whose head has arrived. Throws for what `fetch` would not resolve with. */
function responseOf(message: IncomingMessage, { redirect, signal }: RequestInit): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  if (rawHeaders.length > 2 * maxResponseHeaders) throw tooMany(`${maxResponseHeaders} headers`);
  if (redirect === 'error' && redirectStatuses.has(status))
    throw new Error(`unexpected redirect (${status})`);
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  if (withoutBody.has(status)) {
    process.nextTick(drop, message);
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(message, decoded(message), signal), { status, headers });
}

/** An error with the code that Node has for the like. */
function failure(message: string, code: string, syscall?: string): Error {
  return Object.assign(new Error(message), { code, syscall });
}

function tooMany(what: string): Error {
  return failure(`the server sends more than ${what}`, 'HPE_HEADER_OVERFLOW');
}

/** Ends a response that is not read: its connection can be used again where all of it has arrived. */
function drop(message: IncomingMessage): void {
  if (message.complete) message.removeAllListeners('readable').resume();
  else message.destroy();
}

function decoded(message: IncomingMessage): Readable {
  const { 'content-encoding': coding = '', 'content-length': length } = message.headers;
  if (/^(?:identity)?$/i.test(coding) || length === '0') return message;
  if (!/^(?:x-)?gzip$/i.test(coding))
    throw new Error(`the response has the content coding "${coding}", which was not requested`);
  const gunzip = createGunzip();
  let isWriting = false;
  // All that has arrived at once: a pipe would queue each chunk, and one may be a byte.
  const write = (): void => {
    const bytes = isWriting ? null : (message.read() as Buffer | null);
    if (bytes === null) return;
    isWriting = true;
    gunzip.write(bytes, () => {
      isWriting = false;
      write();
    });
  };
  message.on('readable', write).on('end', () => gunzip.end());
  message.on('error', (cause) => gunzip.destroy(cause));
  return gunzip.on('close', () => drop(message));
}

/** The body of a response, read when its reader requires more: small pieces that have arrived are one chunk then. */
function bodyOf(message: IncomingMessage, source: Readable, signal: RequestInit['signal']): ReadableStream {
  let wanted: (() => void) | undefined;
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        source.on('readable', () => wanted?.());
        source.on('end', () => {
          if (!isOver) controller.close();
        });
        source.on('error', (cause) => {
          controller.error(signal?.aborted === true ? signal.reason : new TypeError('terminated', { cause }));
        });
      },
      pull: (controller) =>
        new Promise<void>((resolve) => {
          wanted = (): void => {
            const chunk = source.read() as Uint8Array | null;
            if (chunk === null) return;
            wanted = undefined;
            controller.enqueue(chunk);
            resolve();
          };
          wanted();
        }),
      cancel() {
        isOver = true;
        wanted = undefined;
        if (source === message) drop(message);
        else source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
