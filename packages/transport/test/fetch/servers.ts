import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A promise that a test resolves. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** Returns a promise, and what resolves it. */
export function deferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

/** Redirects are returned. */
export const manual = { redirect: 'manual' } as const;

/** Listens until the end of the test; returns the host and port. */
export async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Returns the address of a server. */
export const serve = async (listener: RequestListener): Promise<string> =>
  `http://${await listening(createServer(listener))}/`;

/** A server that writes bytes as soon as a request comes. */
export const answered = async (...parts: string[]): Promise<string> => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => {
      for (const part of parts) socket.write(part);
    });
  });
  return `http://${await listening(server)}/`;
};
