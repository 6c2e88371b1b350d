import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from 'rxmcp/memory';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { sse } from 'rxmcp/sse';
import { serveSse } from 'rxmcp/sse/node';
import { messagePort, serveMessagePort } from 'rxmcp/message-port';
import { stdio } from 'rxmcp/stdio';
import { serveSocket, socket } from 'rxmcp/stdio/net';
import type { ConnectionHandler, ServeHandle, Transport } from 'rxmcp/transport';
import { webSocket } from 'rxmcp/websocket';
import { serveWebSocket } from 'rxmcp/websocket/node';

/** Takes what closes something when it is not needed any more: `onTestFinished`, or a list for later. */
export type AtEnd = (close: () => Promise<void>) => unknown;

/** Serves an acceptor, and returns a transport to it; `listens` receives its address, if that is a url. */
export type Join = (
  acceptor: ConnectionHandler,
  atEnd: AtEnd,
  listens?: (url: string) => unknown,
) => Promise<Transport>;

/** A child that carries lines between its own streams and a socket: a server of stdio whose inside is here. */
const pump = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
socket.setNoDelay(true);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(0));
`;

/** Every transport that serves in a process of Node. */
export const joins: Readonly<Record<string, Join>> = {
  memory: async (acceptor, atEnd) => {
    const link = memory();
    return closing(atEnd, link.serve(acceptor), link);
  },
  stdio: async (acceptor, atEnd) => {
    const serving = await serveSocket(acceptor, { port: 0 });
    return closing(
      atEnd,
      serving,
      stdio({ command: process.execPath, args: ['-e', pump, String(serving.port)] }),
    );
  },
  socket: async (acceptor, atEnd) => {
    const serving = await serveSocket(acceptor, { port: 0 });
    return closing(atEnd, serving, socket({ port: serving.port }));
  },
  unix: async (acceptor, atEnd) => {
    const folder = await mkdtemp(join(tmpdir(), 'rxmcp-bridge-'));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    const path = join(process.platform === 'win32' ? '\\\\.\\pipe' : '', folder, 'socket');
    return closing(atEnd, await serveSocket(acceptor, { path }), socket({ path }));
  },
  port: async (acceptor, atEnd) => {
    const serving: ServeHandle[] = [];
    atEnd(async () => void (await Promise.all(serving.map((each) => each.close()))));
    return messagePort(() => {
      const { port1, port2 } = new MessageChannel();
      serving.push(serveMessagePort(acceptor, port2));
      return port1;
    });
  },
  http: async (acceptor, atEnd, listens) => {
    const serving = await serveHttp(acceptor, { port: 0 });
    listens?.(serving.url);
    return closing(atEnd, serving, http(serving.url));
  },
  sse: async (acceptor, atEnd, listens) => {
    const serving = await serveSse(acceptor, { port: 0 });
    listens?.(serving.url);
    return closing(atEnd, serving, sse(serving.url));
  },
  websocket: async (acceptor, atEnd, listens) => {
    const serving = await serveWebSocket(acceptor, { port: 0 });
    listens?.(serving.url);
    return closing(atEnd, serving, webSocket(serving.url));
  },
};

/** The revisions that a transport of this name carries. */
export function carries(name: string, version: string): boolean {
  return name !== 'sse' || version !== '2026-07-28';
}

function closing(atEnd: AtEnd, serving: { close(): Promise<unknown> }, transport: Transport): Transport {
  atEnd(async () => void (await serving.close()));
  return transport;
}
