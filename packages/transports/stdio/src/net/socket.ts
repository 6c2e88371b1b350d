import { connect, type Socket } from 'node:net';
import type { TransportError } from '@rxmcp/transport';
import { type DialOptions, notSentError, type Transport } from '@rxmcp/transport';
import { clampTimeout, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { createDuplexConnection, keepAliveMs } from './duplex-connection.js';

/** Options of {@link socket}. */
export interface SocketOptions {
  /** The port to dial to. */
  readonly port?: number;
  /** The host to dial to. @default '127.0.0.1' */
  readonly host?: string;
  /** A Unix socket, or a named pipe of Windows, in place of a port. */
  readonly path?: string;
  /** How long a dial may take, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long to wait for the server to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

const knownOptions: Record<keyof SocketOptions, true> = {
  port: true,
  host: true,
  path: true,
  connectTimeoutMs: true,
  maxMessageBytes: true,
  writeTimeoutMs: true,
};

/**
 * Creates a transport to a TCP port or a Unix socket that `serveSocket` or another server of lines serves. Nothing is encrypted or
 * authenticated: for other machines create an encrypted stream, and a connection over it with `duplexConnection`. A dial rejects
 * with `DIAL_FAILED` or `DIAL_ABORTED`. A server that stops without closing is noticed after 25 s.
 */
export function socket(options: SocketOptions): Transport {
  rejectUnknownOptions('socket', options, knownOptions, {
    withinMs: 'connectTimeoutMs',
    stallMs: 'writeTimeoutMs',
  });
  if ((options.port === undefined) === (options.path === undefined)) {
    throw new TypeError('socket: pass either "port" or "path"');
  }
  return {
    name: 'socket',
    async dial(dialOptions = {}) {
      const stream = await dialled(options, dialOptions);
      stream.setNoDelay(true);
      stream.setKeepAlive(true, keepAliveMs);
      return createDuplexConnection(stream, { ...options, redialable: true });
    },
  };
}

function dialled(options: SocketOptions, { signal }: DialOptions): Promise<Socket> {
  const { port, host = '127.0.0.1', path, connectTimeoutMs = 10_000 } = options;
  const whom = path ?? `${host}:${String(port)}`;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(aborted(whom, signal));
    const stream = path === undefined ? connect({ port: port ?? 0, host }) : connect({ path });
    const fail = (error: TransportError): void => {
      settle();
      stream.destroy();
      reject(error);
    };
    const unwanted = (): void => fail(aborted(whom, signal));
    const late = setTimeout(() => {
      fail(
        notSentError('DIAL_FAILED', `no connection to ${whom} within ${String(connectTimeoutMs / 1_000)} s`),
      );
    }, clampTimeout(connectTimeoutMs));
    const settle = (): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', unwanted);
    };
    signal?.addEventListener('abort', unwanted);
    // Stays for good: an error before the connection listens must not be uncaught. `close` follows it.
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      fail(notSentError('DIAL_FAILED', `cannot connect to ${whom}: ${cause.code ?? cause.message}`, cause));
    });
    stream.once('connect', () => {
      settle();
      resolve(stream);
    });
  });
}

function aborted(whom: string, signal: AbortSignal | undefined): TransportError {
  return notSentError('DIAL_ABORTED', `the dial to ${whom} was aborted`, signal?.reason);
}
