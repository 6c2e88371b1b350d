import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  createServer as createSecureServer,
  type Server as SecureServer,
  type ServerOptions,
} from 'node:https';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { GuardOptions } from '../guard/guard.js';
import { clampTimeout } from '../timers.js';

/** The certificate and key of a listener, and whatever else `node:https` takes. */
export type TlsOptions = Pick<
  ServerOptions,
  'cert' | 'key' | 'ca' | 'passphrase' | 'pfx' | 'requestCert' | 'minVersion'
>;

/** Options of {@link listen}. */
export interface ListenOptions extends Pick<GuardOptions, 'authenticate'> {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** The address to bind. @default 127.0.0.1 */
  readonly host?: string;
  readonly tls?: TlsOptions;
  /** A server of the reader's own. It is used as it is, and left open at the end. */
  readonly server?: Server | SecureServer;
  /** Allows listening on every address without `authenticate`. @default false */
  readonly dangerouslyOpen?: boolean;
  /** How long a TLS handshake, and the headers of a request, may take, in milliseconds. @default 10000 */
  readonly headersTimeoutMs?: number;
  /** How long a whole request may take to arrive, in milliseconds. @default 30000 */
  readonly requestTimeoutMs?: number;
}

/** A listener. */
export interface HttpListener {
  readonly server: Server | SecureServer;
  /** Where it is reached: `url('http', '/mcp')`, with TLS `https`. */
  url(scheme: 'http' | 'ws', path: string): string;
  /** Takes no further connection; those that are open go on. Nothing happens to a server of the reader's own. */
  stopAccepting(): void;
  /** Ends the listener and cuts what is still open after a moment for the last bytes. Idempotent, never rejects. */
  stop(): Promise<void>;
}

const maxHeaderBytes = 16 * 1024;
const checkEachMs = 1_000;
const keepAliveMs = 60_000;
const lastBytesMs = 500;
/** After this silence the system asks whether the other side is still there: ten times, once per second. */
const silentMs = 15_000;

/**
 * Opens a listener with bounds on headers, on slow requests and on idle connections.
 * Rejects with a TypeError where it would be open to everybody, and with the system's error where the port is taken.
 */
export async function listen(options: ListenOptions = {}): Promise<HttpListener> {
  const { port = 0, host = '127.0.0.1', tls, server: given } = options;
  const server = given ?? create(options, tls);
  const allowed = options.authenticate !== undefined || options.dangerouslyOpen === true;
  if (!server.listening) {
    if (!allowed && isUnspecifiedAddress(host)) throw tooOpen(host);
    await bound(server, port, host);
  } else if (!allowed && isUnspecifiedAddress((server.address() as AddressInfo).address)) {
    throw tooOpen((server.address() as AddressInfo).address);
  }
  const address = server.address() as AddressInfo;
  const secure = 'setSecureContext' in server;
  const over = new Promise<void>((resolve) => server.once('close', resolve));
  const unused = given === undefined ? new UnusedConnections(server) : undefined;
  let stopped: Promise<void> | undefined;
  return {
    server,
    url(scheme, path) {
      return `${scheme}${secure ? 's' : ''}://${named(address)}:${String(address.port)}${path}`;
    },
    stopAccepting() {
      if (given === undefined && server.listening) server.close();
    },
    stop() {
      stopped ??= unused === undefined ? Promise.resolve() : stop(server, over, unused);
      return stopped;
    },
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
    keepAlive: true,
    keepAliveInitialDelay: silentMs,
  };
  return tls === undefined
    ? createServer(bounds)
    : createSecureServer({ ...bounds, handshakeTimeout: bounds.headersTimeout, ...tls });
}

function bound(server: Server | SecureServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function stop(
  server: Server | SecureServer,
  over: Promise<void>,
  unused: UnusedConnections,
): Promise<void> {
  if (server.listening) server.close();
  server.closeIdleConnections();
  unused.closeAll();
  let cut: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (cut = setTimeout(resolve, lastBytesMs)));
  await Promise.race([over, late]);
  clearTimeout(cut);
  server.closeAllConnections();
}

/** A host for a URL: what listens everywhere is reached under the machine's own name. */
function named({ address, family }: AddressInfo): string {
  if (isUnspecifiedAddress(address)) return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}

function tooOpen(host: string): TypeError {
  return new TypeError(
    `"${host}" is every address of this machine: pass "authenticate", or "dangerouslyOpen" to serve anyone`,
  );
}

const most = 64 * 1024 * 1024;

/** What a listener may hold of all that it reads, in bytes, unless it is told: 64 MiB, at most an eighth of the heap. */
export function defaultBufferedBytes(): number {
  // What is read becomes text and values, several times as large.
  return Math.min(most, Math.floor(getHeapStatistics().heap_size_limit / 8));
}

/** Tells whether binding this host means every address of the machine, in any spelling. */
function isUnspecifiedAddress(host: string): boolean {
  if (host === '') return true;
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const url = `http://${isIPv6(bare) ? `[${bare}]` : bare}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === '0.0.0.0' || hostname === '[::]' || hostname === '[::ffff:0:0]';
}

const pruneAbove = 64;

/** The connections that carried no request yet: clients open spare ones, and Node would wait for them when it closes. */
class UnusedConnections {
  private readonly sockets = new Set<Socket>();

  constructor(server: Server | SecureServer) {
    server.on('connection', this.opened);
    server.on('request', this.used);
  }

  /** Ends them. */
  closeAll(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    this.sockets.clear();
  }

  private readonly opened = (socket: Socket): void => {
    this.sockets.add(socket);
    // No listener per connection: those that went without a request are looked for now and then.
    if (this.sockets.size > pruneAbove)
      for (const one of this.sockets) if (one.destroyed) this.sockets.delete(one);
  };

  private readonly used = ({ socket }: IncomingMessage): void => {
    this.sockets.delete(socket);
  };
}
