import { chmod, lstat, unlink } from 'node:fs/promises';
import {
  HeldConnections,
  holderName,
  listenerMemory,
  rejectUnknownOptions,
  requireLoopback,
  UnfinishedMessageBudget,
} from '@rxmcp/transport/internal';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { defaultBufferedBytes, listenBacklog } from '@rxmcp/transport/node/internal';
import {
  type ConnectionHandler,
  ConnectionSet,
  pipeTraits,
  processMemory,
  type ServeHandle,
} from '@rxmcp/transport';
import { createDuplexConnection, keepAliveMs } from './duplex-connection.js';

/** Options of {@link serveSocket}. */
export interface ServeSocketOptions {
  /** The TCP port; 0 chooses a free port. Either `port` or `path` is required. */
  readonly port?: number;
  /** The address to bind. An address that is not a loopback address requires `dangerouslyOpen`. @default '127.0.0.1' */
  readonly host?: string;
  /** A Unix socket, or a named pipe on Windows, instead of a port. Only this user may connect to it. */
  readonly path?: string;
  /** Whether other machines may connect, although callers are not authenticated. @default false */
  readonly dangerouslyOpen?: boolean;
  /** The principal of all clients. @default anonymous */
  readonly principal?: string;
  /** How many connections may be open, at a port half of them of one address; further ones are closed at once. @default 1024 */
  readonly maxConnections?: number;
  /** How long a client may take to send its first message, in milliseconds, before `STALLED`. @default 10000 */
  readonly firstMessageTimeoutMs?: number;
  /** Largest message, in bytes. A longer line is answered with -32700; the third one closes the connection. @default 10485760 */
  readonly maxMessageBytes?: number;
  /**
   * Bytes of lines that have not come in full, or wait for their turn, that may be held at a time. Beyond it, the connection with the
   * largest of the holder that holds most ends with `OVERFLOW`. One principal, or one address of anonymous clients, may hold half of it.
   * Never less than twice `maxMessageBytes` and 64 KiB, so that one message has room.
   * @default 67108864, at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How long to wait for the client to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

const knownOptions: Record<keyof ServeSocketOptions, true> = {
  port: true,
  host: true,
  path: true,
  dangerouslyOpen: true,
  principal: true,
  maxConnections: true,
  firstMessageTimeoutMs: true,
  maxMessageBytes: true,
  maxBufferedBytes: true,
  writeTimeoutMs: true,
};

/** A chunk of a stream. */
const chunkBytes = 64 * 1024;

/** Ends what {@link serveSocket} serves, and has its port. */
export interface SocketServeHandle extends ServeHandle {
  /** The bound port; 0 for a path. */
  readonly port: number;
}

/**
 * Serves clients at a TCP port or a Unix socket, one message per line. A connection whose first line is not a message, such as an HTTP
 * request of a browser, is closed. Rejects with a TypeError for an address that other machines can reach, and with the system's error
 * where the address is in use. A socket file that a killed server left behind is replaced.
 */
export async function serveSocket(
  handler: ConnectionHandler,
  options: ServeSocketOptions,
): Promise<SocketServeHandle> {
  rejectUnknownOptions('serveSocket', options, knownOptions, {
    stallMs: 'writeTimeoutMs',
  });
  const { port, host = '127.0.0.1', path, dangerouslyOpen = false, maxConnections = 1_024 } = options;
  const { maxMessageBytes = pipeTraits.maxMessageBytes, maxBufferedBytes = defaultBufferedBytes() } = options;
  if ((port === undefined) === (path === undefined)) {
    throw new TypeError('a socket is served at either "port" or "path"');
  }
  if (path === undefined && !dangerouslyOpen) requireLoopback(host, '"dangerouslyOpen"');
  const server = createServer((socket) => serve(socket));
  server.maxConnections = maxConnections;
  const stopped = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const connections = new ConnectionSet(handler, () => server.close());
  const { memory = processMemory() } = handler;
  // A line is kept in a buffer of up to twice its length.
  const leastBytes = 2 * maxMessageBytes + chunkBytes;
  const unfinished = new UnfinishedMessageBudget(listenerMemory(handler, maxBufferedBytes, leastBytes));
  const held = new HeldConnections(memory, maxConnections, 'maxConnections');
  const serve = (socket: Socket): void => {
    const { remoteAddress } = socket;
    if (path === undefined) {
      const address = holderName(undefined, remoteAddress);
      if (held.add(address) !== undefined) return void socket.destroy();
      socket.once('close', () => held.remove(address));
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    const account = { memory, unfinished, holder: holderName(options.principal, remoteAddress) };
    connections.accept(createDuplexConnection(socket, { ...options, isServer: true }, account));
  };
  if (path !== undefined) await removeStaleSocket(path);
  await listening(server, path === undefined ? { port: port ?? 0, host } : { path });
  if (path !== undefined) await restrictToOwner(path);
  return {
    port: path === undefined ? (server.address() as AddressInfo).port : 0,
    async drain(drainOptions) {
      await connections.drain(drainOptions);
      await stopped;
    },
    async close() {
      await connections.close();
      await stopped;
    },
  };
}

function listening(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...where, backlog: listenBacklog }, () => {
      server.off('error', reject);
      // One connection that could not be accepted ends nothing.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Removes the socket file of a killed server: a socket without a listener. Any other file stays. */
async function removeStaleSocket(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true && !(await isServed(path))) await unlink(path);
}

/** Allows only this user to connect. */
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
