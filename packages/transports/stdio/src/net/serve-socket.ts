import { chmod, lstat, unlink } from 'node:fs/promises';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type ConnectionHandler, type ServeHandle, ConnectionSet } from '@rxmcp/transport';
import { duplexConnection, keepAliveMs } from './duplex-connection.js';

/** Options of {@link serveSocket}. */
export interface ServeSocketOptions {
  /** The port to listen at; 0 takes a free one. */
  readonly port?: number;
  /** The address to listen at. Others than those of this machine itself need `dangerouslyOpen`. @default 127.0.0.1 */
  readonly host?: string;
  /** A Unix socket, or a named pipe of Windows, in place of a port. Only this user may connect to it. */
  readonly path?: string;
  /** Serves other machines too, though nobody who connects proves who he is. @default false */
  readonly dangerouslyOpen?: boolean;
  /** Who is at the other end. @default anonymous */
  readonly principal?: string;
  /** How many connections may be open; more are refused. @default 1024 */
  readonly maxConnections?: number;
  /** How long a client may take to its first message, in milliseconds, before `STALLED`. @default 10000 */
  readonly firstMessageTimeoutMs?: number;
  /** Largest message; a longer line is answered with -32700, the third one closes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long a client that reads nothing is waited for, in milliseconds, before `STALLED`. @default 30000 */
  readonly writeTimeoutMs?: number;
}

/** What {@link serveSocket} gives. */
export interface SocketServeHandle extends ServeHandle {
  /** The port that is listened at; 0 for a path. */
  readonly port: number;
}

/**
 * Serves clients at a TCP port or a Unix socket, one message per line. What begins with anything but a message, as a browser that
 * was made to post here does, is cut. Rejects with a TypeError for an address that other machines reach, and with the system's
 * error where it is taken. A path that a server left behind when it was killed is taken over.
 */
export async function serveSocket(
  acceptor: ConnectionHandler,
  options: ServeSocketOptions,
): Promise<SocketServeHandle> {
  rejectRenamedOptions('serveSocket', options, {
    firstMessageMs: 'firstMessageTimeoutMs',
    stallMs: 'writeTimeoutMs',
  });
  const { port, host = '127.0.0.1', path, dangerouslyOpen = false, maxConnections = 1_024 } = options;
  if ((port === undefined) === (path === undefined)) {
    throw new TypeError('a socket is served at either "port" or "path"');
  }
  if (path === undefined && !dangerouslyOpen && !isOfThisMachine(host)) {
    throw new TypeError(
      `"${host}" is reachable from other machines and callers are not authenticated: pass "dangerouslyOpen" to serve them`,
    );
  }
  const server = createServer((socket) => serve(socket));
  server.maxConnections = maxConnections;
  const stopped = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const serving = new ConnectionSet(acceptor, () => server.close());
  const serve = (socket: Socket): void => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    const connection = duplexConnection(socket, { ...options, isServer: true });
    try {
      serving.accept(connection);
    } catch {
      // An acceptor that throws refuses whoever connected, and nobody else.
      void connection.close();
    }
  };
  if (path !== undefined) await removeStaleSocket(path);
  await listening(server, path === undefined ? { port: port ?? 0, host } : { path });
  if (path !== undefined) await restrictToOwner(path);
  return {
    port: path === undefined ? (server.address() as AddressInfo).port : 0,
    async drain(drainOptions) {
      await serving.drain(drainOptions);
      await stopped;
    },
    async close() {
      await serving.close();
      await stopped;
    },
  };
}

function listening(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      // One connection that could not be accepted ends nothing.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function isOfThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Removes what a killed server left at a path: a socket that nobody listens at. Anything else is left alone. */
async function removeStaleSocket(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true && !(await isServed(path))) await unlink(path);
}

/** Lets nobody but this user connect. */
async function restrictToOwner(path: string): Promise<void> {
  if (process.platform !== 'win32') await chmod(path, 0o600);
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
