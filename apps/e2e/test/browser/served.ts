import { createServer, type IncomingMessage, type Server as NodeServer } from 'node:http';
import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import type { Authenticator } from '@rxmcp/transport/guard';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { onTestFinished } from 'vitest';
import type { Way } from './page/desk.js';

/** The carriers that a page and a server in Node have in common. */
export type Carrier = Extract<Way['over'], 'http' | 'sse' | 'webSocket'>;

interface Serve extends ServeHandle {
  readonly url: string;
}

interface Options {
  readonly server: NodeServer;
  readonly allowedOrigins: readonly string[];
  readonly authenticate?: Authenticator;
}

const serves: Readonly<Record<Carrier, (acceptor: ConnectionHandler, options: Options) => Promise<Serve>>> = {
  http: serveHttp,
  sse: serveSse,
  webSocket: serveWebSocket,
};

/** What a server was asked and what it answered, in the order of the answers. */
export interface Served {
  readonly url: string;
  /** Lines such as `POST 200`; `OPTIONS` are the preflights. */
  readonly answers: readonly string[];
  close(): Promise<void>;
}

/** Where it listens, and which callers it accepts. */
export interface ServedOptions {
  readonly port?: number;
  readonly authenticate?: Authenticator;
}

/** Serves the pages of one origin, on a free port unless one is named. Ends with its test. */
export async function served(
  acceptor: ConnectionHandler,
  over: Carrier,
  origin: string,
  { port = 0, authenticate }: ServedOptions = {},
): Promise<Served> {
  const server = createServer();
  const answers: string[] = [];
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const options = {
    server,
    allowedOrigins: [origin],
    ...(authenticate === undefined ? {} : { authenticate }),
  };
  const serving = await serves[over](acceptor, options);
  // A listener from before would receive other paths only.
  server.on('request', ({ method = '' }: IncomingMessage, response) => {
    response.on('close', () => answers.push(`${method} ${String(response.statusCode)}`));
  });
  const close = async (): Promise<void> => {
    await serving.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url: serving.url, answers, close };
}
