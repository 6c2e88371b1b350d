import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Connection } from '@rxmcp/transport';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';
import { onTestFinished } from 'vitest';
import { serveSocket, type ServeSocketOptions, type SocketServeHandle, socket } from '../../src/net.js';

export const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;

export interface Served {
  readonly handle: SocketServeHandle;
  readonly heard: Recording[];
  readonly connections: Connection[];
}

/** Serves recordings, each of which answers what `answer` gives. */
export async function served(
  options: Partial<ServeSocketOptions> = {},
  response?: JsonObject,
): Promise<Served> {
  const heard: Recording[] = [];
  const connections: Connection[] = [];
  const acceptor = connectionHandler((connection) => {
    const one = recording((message) => {
      const { id } = message as { id?: number };
      if (response !== undefined && id !== undefined) {
        connection.send({ jsonrpc: '2.0', id, result: response }).catch(() => undefined);
      }
    });
    heard.push(one);
    connections.push(connection);
    return one;
  });
  const handle = await serveSocket(acceptor, options.path === undefined ? { port: 0, ...options } : options);
  onTestFinished(() => handle.close());
  return { handle, heard, connections };
}

/** A bare server, which sends and does what a test sets. */
export async function bare(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((one) => {
    one.on('error', () => undefined);
    sockets.push(one);
    onSocket(one);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const one of sockets) one.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export async function dialled(
  port: number,
  options = {},
): Promise<{ connection: Connection; heard: Recording }> {
  const connection = await socket({ port, ...options }).dial();
  onTestFinished(() => connection.close());
  const heard = recording();
  connection.start(heard);
  return { connection, heard };
}

export function raw(port: number): { socket: Socket; text: () => string; closed: Promise<unknown> } {
  const one = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void one.destroy());
  one.on('error', () => undefined);
  let text = '';
  one.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { socket: one, text: () => text, closed: new Promise((resolve) => one.once('close', resolve)) };
}
