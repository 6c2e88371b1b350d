import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { MemoryBudget } from '@rxmcp/transport';
import { onTestFinished } from 'vitest';
import { httpHandler, type HttpHandlerOptions } from '../../src/node.js';
import { Desk } from './desk.js';
import type { Rig } from './fixtures.js';

/** A handler in a web server of a test's own, which sees the sockets. */
export interface Served extends Rig {
  readonly url: string;
  /** How many of these sockets the server has open. */
  open(...sockets: Socket[]): number;
  /** How many streams were asked for. */
  gets(): number;
  /** How many bytes were written to all sockets, those included that still wait in this process. */
  bytesWritten(): number;
  /** How long the handler allows a socket to take nothing, in milliseconds; 0 where it sets no limit. */
  writeTimeoutMs(socket: Socket): number;
  /** Does what Node does once a socket has taken nothing for so long. */
  stall(socket: Socket): void;
}

export async function served(options: HttpHandlerOptions = {}, memory?: MemoryBudget): Promise<Served> {
  const desk = new Desk(memory);
  const handler = httpHandler(desk, options);
  let gets = 0;
  const responses = new Map<number | undefined, { response: ServerResponse; writeTimeoutMs: number }>();
  const server: Server = createServer((incoming, response) => {
    if (incoming.method === 'GET') gets += 1;
    const one = { response, writeTimeoutMs: 0 };
    const { setTimeout } = response;
    response.setTimeout = (ms, callback) => (
      (one.writeTimeoutMs = ms),
      setTimeout.call(response, ms, callback)
    );
    responses.set(incoming.socket.remotePort, one);
    handler(incoming, response);
  });
  const open = new Map<number | undefined, Socket>();
  let written = 0;
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    open.set(remotePort, socket);
    socket.on('close', () => {
      written += socket.bytesWritten;
      open.delete(remotePort);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  return {
    desk,
    url,
    open: (...sockets) => sockets.filter(({ localPort }) => open.has(localPort)).length,
    gets: () => gets,
    bytesWritten: () => [...open.values()].reduce((sum, socket) => sum + socket.bytesWritten, written),
    writeTimeoutMs: ({ localPort }) => responses.get(localPort)?.writeTimeoutMs ?? 0,
    stall: ({ localPort }) => void responses.get(localPort)?.response.emit('timeout'),
    ask: (init) => fetch(url, init),
    drain: handler.drain,
    close: handler.close,
  };
}
