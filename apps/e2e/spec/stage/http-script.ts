import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Frame } from './frame.js';

/** One request that a client made. */
export interface Request {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly frame: Frame;
}

/** What to say to it; undefined says nothing for ever, a text is a stream of events. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** A server over HTTP without the library, until the test is over. */
export async function httpScript(
  script: (request: Request) => Reply | undefined,
): Promise<{ readonly url: string; readonly requests: readonly Request[] }> {
  const requests: Request[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const { method = '', headers } = incoming;
      const frame = (text === '' ? {} : JSON.parse(text)) as Frame;
      const request = { method, headers, text, frame };
      requests.push(request);
      const reply = script(request);
      if (reply === undefined) return;
      const { status = 200, body } = reply;
      const type = typeof body === 'string' ? 'text/event-stream' : 'application/json';
      outgoing.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...reply.headers });
      outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}
