import type { Server } from 'rxmcp';
import type { ServeHttpOptions } from 'rxmcp/http/node';
import { serveHttp } from 'rxmcp/http/node';
import { onTestFinished } from 'vitest';
import type { Frame } from './frame.js';
import { metaOf, modern } from './frame.js';

/** What came back from a POST. */
export interface PostResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The messages of it, whether it is JSON or a stream of events. */
  readonly frames: readonly Frame[];
}

/** A server over HTTP on a port of the system's choice, and how to post to it. */
export interface Posts {
  readonly url: string;
  /** Posts a body with these headers over the usual ones; an empty text takes one away. */
  post(body: object | string, headers?: Readonly<Record<string, string>>): Promise<PostResponse>;
  /** Posts a modern request with the headers that belong to it. */
  modern(
    method: string,
    params?: object,
    headers?: Readonly<Record<string, string>>,
    capabilities?: object,
  ): Promise<PostResponse>;
  /** Any other request. */
  send(init: RequestInit): Promise<Response>;
}

/** Serves a description until the test is over. */
export async function posts(server: Server, options: Partial<ServeHttpOptions> = {}): Promise<Posts> {
  const serving = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => serving.close());
  const { url } = serving;
  const post: Posts['post'] = async (body, headers = {}) => {
    const given = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const response = await fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, frames: framesIn(text) };
  };
  return {
    url,
    post,
    modern: (method, params = {}, headers = {}, capabilities = {}) => {
      const { name, uri } = params as { name?: unknown; uri?: unknown };
      const about = method === 'resources/read' ? uri : name;
      const usual = {
        'mcp-protocol-version': modern,
        'mcp-method': method,
        ...(typeof about === 'string' && method !== 'tools/list' ? { 'mcp-name': about } : {}),
      };
      const frame = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: metaOf(capabilities) } };
      return post(frame, { ...usual, ...headers });
    },
    send: (init) => fetch(url, init),
  };
}

/** The messages in the text of a response. */
function framesIn(text: string): Frame[] {
  if (text === '') return [];
  if (text.startsWith('{')) return [JSON.parse(text) as Frame];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line.length > 'data: '.length)
    .map((line) => JSON.parse(line.slice('data: '.length)) as Frame);
}
