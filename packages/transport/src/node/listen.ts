import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createSecureServer,
  type Server as SecureServer,
  type ServerOptions,
} from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { GuardOptions } from '../guard/guard.js';
import { requireLoopback } from '../base/loopback.js';
import { HeldConnections } from '../memory/held-connections.js';
import { holderName, processMemory } from '../memory/memory-budget.js';
import { clampTimeout } from '../base/timers.js';
import { ListenerResponse } from './on-response-closed.js';

/** The certificate and key of a listener, and other options of `node:https`. */
export type TlsOptions = Pick<
  ServerOptions,
  'cert' | 'key' | 'ca' | 'passphrase' | 'pfx' | 'requestCert' | 'minVersion'
>;

/** Options of {@link listen}. */
export interface ListenOptions extends Pick<GuardOptions, 'authenticate'> {
  /** The TCP port; 0 chooses a free port. @default 0 */
  readonly port?: number;
  /** The address to bind. An address that is not a loopback address requires `authenticate` or `dangerouslyOpen`. @default '127.0.0.1' */
  readonly host?: string;
  readonly tls?: TlsOptions;
  /**
   * An existing server. It is used unchanged, and stays open at the end. Let it listen with a `backlog` of 4,096: with Node's default of
   * 511, clients that connect while thousands of others do wait a second and more.
   */
  readonly server?: Server | SecureServer;
  /** Whether other machines may connect, although callers are not authenticated. @default false */
  readonly dangerouslyOpen?: boolean;
  /** How long a TLS handshake and the headers of a request may take, each in milliseconds. @default 10000 */
  readonly headersTimeoutMs?: number;
  /** How long a whole request may take to arrive, in milliseconds. @default 30000 */
  readonly requestTimeoutMs?: number;
}

/** The names of {@link ListenOptions}, for what takes them with others. */
export const knownListenOptions: Record<keyof ListenOptions, true> = {
  authenticate: true,
  port: true,
  host: true,
  tls: true,
  server: true,
  dangerouslyOpen: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
};

/** Answers a request, or returns false for one that it does not answer. */
export type RequestRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Controls an HTTP listener. */
export interface HttpListener {
  readonly server: Server | SecureServer;
  /** Returns the URL of a path: `url('http', '/mcp')` has the scheme `https` with TLS. */
  url(scheme: 'http' | 'ws', path: string): string;
  /**
   * Answers requests before other listeners of the server, which receive those that `handle` returns false for; a server of its own
   * answers them with 404. Returns a function that ends it.
   */
  route(handle: RequestRoute): () => void;
  /** Accepts no further connections; open connections continue. No effect on an existing server. */
  stopAccepting(): void;
  /** Ends the listener, and destroys connections that are still open after 500 ms. No effect on an existing server. Idempotent, never rejects. */
  stop(): Promise<void>;
}

const maxHeaderBytes = 16 * 1024;
/** Thousands of short headers would take more than ten times their bytes. Proxies allow about 100. */
const maxHeaders = 256;
/**
 * How many connections may wait to be accepted; the operating system may have a lower limit. Beyond it the client's system sends its
 * first packet again after a second.
 */
export const listenBacklog = 4_096;
const checkEachMs = 1_000;
const keepAliveMs = 60_000;
const lastBytesMs = 500;
/** A listener at one of these addresses is bound to every address of the machine. */
const unspecifiedAddresses: readonly string[] = ['0.0.0.0', '::', '::ffff:0.0.0.0'];
/** What a socket takes, in bytes, before its first request and between requests. */
const socketBytes = 8 * 1024;
/** After this silence, in milliseconds, the operating system sends ten TCP keep-alive probes, one per second. */
const silentMs = 15_000;

/**
 * Opens an HTTP listener with limits on headers, slow requests and idle connections. The only protocol that a connection can
 * be upgraded to is WebSocket. Rejects with a TypeError for an address that
 * other machines can reach, without `authenticate` or `dangerouslyOpen`, and with the system's error where the port is in use.
 */
export async function listen(options: ListenOptions = {}): Promise<HttpListener> {
  const { port = 0, host = '127.0.0.1', tls, server: given } = options;
  const server = given ?? create(options, tls);
  const connections = given === undefined ? new OpenConnections(server) : undefined;
  const allowed = options.authenticate !== undefined || options.dangerouslyOpen === true;
  if (!allowed) requireLoopback(boundHost(server) ?? host, '"authenticate", or "dangerouslyOpen",');
  if (!server.listening) await bound(server, port, host);
  const address = server.address() as AddressInfo;
  const secure = 'setSecureContext' in server;
  const over = new Promise<void>((resolve) => server.once('close', resolve));
  let stopped: Promise<void> | undefined;
  return {
    server,
    url(scheme, path) {
      return `${scheme}${secure ? 's' : ''}://${named(address)}:${String(address.port)}${path}`;
    },
    route: (handle) => route(server, handle, given === undefined),
    stopAccepting() {
      if (given === undefined && server.listening) server.close();
    },
    stop() {
      stopped ??= connections === undefined ? Promise.resolve() : stop(server, over, connections);
      return stopped;
    },
  };
}

/**
 * Ends the connection with the response where the request has a body in chunks. Call it before a response to a request whose body you do not
 * read: Node would read all chunks, however many come.
 */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] !== undefined) response.shouldKeepAlive = false;
}

// Node calls all listeners of a request. The second response to one request would end the process.
function route(server: Server | SecureServer, handle: RequestRoute, own: boolean): () => void {
  const others = server.listeners('request');
  let open = true;
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    // More are waiting than a connection may have.
    if (own && request.socket.destroyed) return;
    if (open && handle(request, response)) return;
    if (own) {
      endUnreadBody(request, response);
      response.writeHead(404, { 'content-length': '0' }).end();
    }
    for (const other of others) (other as RequestListener).call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', dispatch);
  return () => {
    open = false;
    // Behind a later route it only passes on.
    if (!server.listeners('request').includes(dispatch)) return;
    server.off('request', dispatch);
    for (const other of others) server.on('request', other as RequestListener);
  };
}

function create(options: ListenOptions, tls: TlsOptions | undefined): Server | SecureServer {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  const bounds = {
    headersTimeout: clampTimeout(Math.min(headersTimeoutMs, requestTimeoutMs)),
    requestTimeout: clampTimeout(requestTimeoutMs),
    // Node looks for slow requests every 30 s otherwise, which would double both times.
    connectionsCheckingInterval: Math.min(checkEachMs, headersTimeoutMs),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: maxHeaderBytes,
    ServerResponse: ListenerResponse,
    keepAlive: true,
    keepAliveInitialDelay: silentMs,
    // Clients that would like HTTP/2 ask for an upgrade too. Newer versions of Node ask which ones are meant.
    shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server: Server | SecureServer =
    tls === undefined
      ? createServer(bounds)
      : createSecureServer({ ...bounds, handshakeTimeout: bounds.headersTimeout, ...tls });
  // Node drops further ones without a sign. A guard rejects such a request.
  server.maxHeadersCount = maxHeaders;
  return server;
}

function bound(server: Server | SecureServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: listenBacklog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function stop(
  server: Server | SecureServer,
  over: Promise<void>,
  connections: OpenConnections,
): Promise<void> {
  if (server.listening) server.close();
  server.closeIdleConnections();
  connections.destroyUnused();
  let cut: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (cut = setTimeout(resolve, lastBytesMs)));
  await Promise.race([over, late]);
  clearTimeout(cut);
  server.closeAllConnections();
  connections.destroyAll();
}

/** The address where a server listens already. */
function boundHost(server: Server | SecureServer): string | undefined {
  return server.listening ? (server.address() as AddressInfo).address : undefined;
}

/** The host of a URL; `localhost` where the listener is bound to every address. */
function named({ address, family }: AddressInfo): string {
  if (unspecifiedAddresses.includes(address)) return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}

const most = 64 * 1024 * 1024;

/** Returns the default limit of the bytes that a listener buffers: 64 MiB, at most an eighth of the heap limit. */
export function defaultBufferedBytes(): number {
  // Bytes become texts and values that are several times as large.
  return Math.min(most, Math.floor(getHeapStatistics().heap_size_limit / 8));
}

/** The open connections, each charged to its address in the budget of the process. One beyond the share of its address is destroyed. */
class OpenConnections {
  readonly #sockets = new Set<Socket>();
  readonly #held = new HeldConnections(processMemory(), Infinity, 'maxConnections', socketBytes);

  constructor(server: Server | SecureServer) {
    server.on('connection', this.#opened);
  }

  /** Destroys those that sent nothing: clients open spare connections, and `close` of Node would wait for them. */
  destroyUnused(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Destroys all. Node knows no connection before its handshake, and none that was upgraded. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  readonly #opened = (socket: Socket): void => {
    const holder = holderName(undefined, socket.remoteAddress);
    if (this.#held.add(holder) !== undefined) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#held.remove(holder);
      this.#sockets.delete(socket);
    });
  };
}
