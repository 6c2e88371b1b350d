import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serving } from '@rxmcp/app-serving/serving';
import { bridge } from 'rxmcp';
import { httpHandler } from 'rxmcp/http/node';
import type { Transport } from 'rxmcp/transport';
import { guard } from 'rxmcp/transport/guard';
import { listen } from 'rxmcp/transport/node';
import { relay } from './page/relayed-fetch.js';
import { relayRequest } from './relay.js';

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

  const answer = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
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
    else void answer(request, response, path);
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
