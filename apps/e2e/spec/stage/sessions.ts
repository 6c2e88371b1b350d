import { onTestFinished } from 'vitest';
import type { Frame } from './frame.js';
import type { PostResponse, Posts } from './posts.js';
import { until } from './turn.js';

/** What a server says on a stream of its own. */
export interface Listening {
  readonly status: number;
  readonly type: string | null;
  /** The messages that came so far. */
  frames(): Frame[];
  /** The ids of the events that came so far. */
  ids(): string[];
  /** Waits for a text to come. */
  until(text: string): Promise<unknown>;
}

/** A session over HTTP, with the headers that belong to it. */
export interface HttpSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  post(frame: object): Promise<PostResponse>;
  listen(more?: Readonly<Record<string, string>>): Promise<Listening>;
}

/** Shakes hands over HTTP. */
export async function httpSession(http: Posts, version: string): Promise<HttpSession> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const greeted = await http.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const id = greeted.headers.get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': version };
  const post = (frame: object): Promise<PostResponse> =>
    http.post(Array.isArray(frame) ? frame : { jsonrpc: '2.0', ...frame }, headers);
  await post({ method: 'notifications/initialized' });
  return {
    id,
    headers,
    post,
    async listen(more = {}) {
      const leaving = new AbortController();
      onTestFinished(() => leaving.abort());
      const response = await http.send({
        method: 'GET',
        signal: leaving.signal,
        headers: { accept: 'text/event-stream', ...headers, ...more },
      });
      let text = '';
      const reading = async (): Promise<void> => {
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
      };
      reading().catch(() => undefined);
      const lines = (start: string): string[] =>
        text
          .split('\n')
          .filter((line) => line.startsWith(start) && line.length > start.length)
          .map((line) => line.slice(start.length));
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        frames: () => lines('data: ').map((line) => JSON.parse(line) as Frame),
        ids: () => lines('id: '),
        until: (wanted) => until(() => text.includes(wanted)),
      };
    },
  };
}
