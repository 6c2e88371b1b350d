import {
  type IncomingMessage,
  type ServerResponse,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as plain,
} from 'node:http';
import type { Serving } from '@rxmcp/app-serving/serving';
import { bridge } from 'rxmcp';
import { httpHandler } from 'rxmcp/http/node';
import type { Transport } from 'rxmcp/transport';
import { guard } from 'rxmcp/transport/guard';
import { listen } from 'rxmcp/transport/node';
import { relay } from './page/relayed-fetch.js';
import { request as secure } from 'node:https';
import { pipeline } from 'node:stream';

/** The files of the page. */
export interface PageFiles {
  readonly html: string | Uint8Array;
  readonly css: string | Uint8Array;
  readonly script: string | Uint8Array;
}

/** What is served, and where. */
export interface PlaygroundOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly files: PageFiles;
  /** What the page offers to connect to: a URL, or a transport that is bridged at `/mcp`. */
  readonly target?: string | Transport | undefined;
}

/** Scripts of this server only, none inside the page, and nothing that is made of text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self' ws: wss:",
  'img-src data:',
  'media-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the page on 127.0.0.1, to its own origin. Rejects with the system's error where the port is in use. */
export async function servePlayground({ port, files, target }: PlaygroundOptions): Promise<Serving> {
  const listener = await listen({ port });
  const origin = new URL(listener.url('http', '/')).origin;
  const addresses = [origin, origin.replace('127.0.0.1', 'localhost')];
  const options = {
    allowedOrigins: addresses,
    allowedHosts: addresses.map((one) => new URL(one).host),
    cors: false,
  };
  const check = guard({ allowedOrigins: options.allowedOrigins, allowedHosts: options.allowedHosts });
  const joined = typeof target === 'object' ? httpHandler(bridge(target), options) : undefined;
  const pages = new Map([
    ['/', { type: 'text/html', body: files.html }],
    ['/page.css', { type: 'text/css', body: files.css }],
    ['/page.js', { type: 'text/javascript', body: files.script }],
  ]);

  const respond = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { method = '', url = '', headersDistinct } = request;
    const head = {
      method,
      target: url,
      secure: false,
      headerValues: (name: string) => headersDistinct[name] ?? [],
    };
    const passed = await check(head);
    const page = pages.get(path);
    if ('status' in passed) response.writeHead(passed.status).end(passed.message);
    // Pages of other origins cannot send this header without a preflight, which is not answered.
    else if (path === relay.path && relay.url in request.headers) relayRequest(request, response);
    else if (page === undefined || method !== 'GET') response.writeHead(404).end();
    else response.writeHead(200, headersOf(page.type)).end(page.body);
  };
  listener.route((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp' && joined !== undefined) joined(request, response);
    else void respond(request, response, path);
    return true;
  });

  const url = joined === undefined ? target : `${origin}/mcp`;
  return {
    urls: [url === undefined ? `${origin}/` : `${origin}/?url=${encodeURIComponent(String(url))}`],
    ended: undefined,
    async drain(drainOptions) {
      listener.stopAccepting();
      await joined?.drain(drainOptions);
      await listener.stop();
    },
  };
}

function headersOf(type: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** The headers that pass, in both directions. What the browser adds, such as its cookies and its origin, stays here. */
const passing =
  /^(accept|authorization|content-(length|type)|last-event-id|location|mcp-.*|retry-after|www-authenticate)$/;

/**
 * Sends a request of the page to the server that it names, and the response back as it arrives. Either side that ends the exchange ends it
 * at the other one. A server that cannot be reached is 502, with the code of the failure in a header. The status of a redirect is in a
 * header too, since a page sees nothing of one that it does not follow.
 */
export function relayRequest(request: IncomingMessage, response: ServerResponse): void {
  const named = String(request.headers[relay.url]);
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    response.writeHead(400).end(`the header ${relay.url} must be an http or https URL without a user name`);
    return;
  }
  const failed = (code: string): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { [relay.failure]: code }).end();
    outgoing.destroy();
  };
  const send = url.protocol === 'https:' ? secure : plain;
  // A kept connection may have been closed by a server that was restarted.
  const outgoing = send(url, {
    method: request.method ?? 'POST',
    headers: passed(request.headers),
    agent: false,
  });
  outgoing.on('response', (incoming) => {
    const { statusCode = 0 } = incoming;
    if (statusCode < 200 || statusCode > 599) return failed(`status ${String(statusCode)}`);
    const redirects = statusCode >= 300 && statusCode < 400;
    response.writeHead(redirects ? 200 : statusCode, {
      ...passed(incoming.headers),
      ...(redirects ? { [relay.redirect]: statusCode } : {}),
      'cache-control': 'no-store',
    });
    response.flushHeaders();
    pipeline(incoming, response, () => undefined);
  });
  outgoing.on('upgrade', () => failed('status 101'));
  outgoing.on('error', ({ code = 'ECONNRESET' }: NodeJS.ErrnoException) => failed(code));
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function passed(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passing.test(name)));
}
