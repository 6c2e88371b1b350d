import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Server as SecureServer, createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Carrier, carriers, type Ports } from '@rxmcp/app-serving/ports';
import type { Health } from 'rxmcp';
import type { ConnectionHandler, DrainOptions, ServeHandle } from 'rxmcp/transport';
import { guard, type GuardAllowed, type GuardDenied, type RequestHead } from 'rxmcp/transport/guard';
import { type Mount, mounts } from './mounts.js';
import { ProtectedMounts, type Protection } from './protected-mounts.js';

/** What a listener serves, and where. */
interface ListenerOptions extends Protection {
  /** 0 takes a free one. */
  readonly port: number;
  readonly carriers: readonly Carrier[];
  /** The health that `/health` returns until the listener drains. */
  readonly healthy: () => Health;
  /** Without it nothing is encrypted. */
  readonly tls?: Certificate | undefined;
}

/** A port of this machine, and the transports on it. */
export interface Listener extends ServeHandle {
  /** Where each transport is, in the order of the carriers. */
  readonly urls: readonly string[];
}

/** How many connections may wait to be accepted: beyond Node's default of 511 others wait a second and more. */
const backlog = 4_096;
/** How long the last bytes may take to be sent, in milliseconds. */
const lastBytesMs = 500;

/**
 * Listens at 127.0.0.1 and serves every transport at its own path. Rejects with the system's error if the port is taken or
 * the certificate is invalid.
 */
export async function openListener(acceptor: ConnectionHandler, options: ListenerOptions): Promise<Listener> {
  const { port, tls } = options;
  let isEnding = false;
  const healthy = (): Health =>
    isEnding ? { healthy: false, reason: 'the server is draining' } : options.healthy();
  const protection = new ProtectedMounts(options);
  const mounted = options.carriers.map((carrier, at) => mounts[carrier](acceptor, protection.optionsAt(at)));
  const upgrades = mounted.some((mount) => mount.upgrade !== undefined);
  const server = boundedServer(tls, upgrades);
  // The web server knows no connection before its handshake, and none that was upgraded.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    if (protection.metadata(request, response)) return;
    if (mounted.some((mount) => mount.request?.(request, response))) return;
    // Node would read all chunks of a body that is not wanted.
    if (request.headers['transfer-encoding'] !== undefined) response.shouldKeepAlive = false;
    if (!answerHealth(request, response, healthy)) lost(mounted, request, response);
  });
  if (upgrades) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!mounted.some((mount) => mount.upgrade?.(request, socket, head))) rejectUpgrade(socket);
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog }, resolve);
  });
  // One connection that cannot be accepted ends nothing.
  server.removeAllListeners('error').on('error', () => undefined);
  const { port: bound } = server.address() as AddressInfo;
  const urls = mounted.map(({ scheme, path }) => `${scheme}${tls ? 's' : ''}://127.0.0.1:${bound}${path}`);
  protection.begin(urls);
  const over = new Promise<void>((resolve) => server.once('close', resolve));

  /** Clients answer what running work asks with requests of their own, so the port is given back last. */
  const stop = async (): Promise<void> => {
    server.close();
    const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), lastBytesMs);
    server.closeIdleConnections();
    await over;
    clearTimeout(cut);
  };
  let stopped: Promise<void> | undefined;
  const end = async (how: (mount: Mount) => Promise<void>): Promise<void> => {
    isEnding = true;
    await Promise.all(mounted.map(how));
    await (stopped ??= stop());
  };
  return {
    urls,
    drain: (drainOptions?: DrainOptions) => end((mount) => mount.drain(drainOptions)),
    close: () => end((mount) => mount.close()),
  };
}

/** Answers a request for an unknown path with 404, and one for a WebSocket path without an upgrade with 426. */
function lost(mounted: readonly Mount[], { url = '' }: IncomingMessage, response: ServerResponse): void {
  const upgrades = mounted.some(
    (mount) => mount.upgrade !== undefined && mount.path === url.split('?', 1)[0],
  );
  const headers = upgrades ? { upgrade: 'websocket', connection: 'Upgrade, close' } : {};
  response.writeHead(upgrades ? 426 : 404, { ...headers, 'content-length': 0 }).end();
}

function rejectUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

/** The check of `Host` and `Origin` of every transport: without it a page could find the server by rebinding a name. */
const checkAddress = guard({}) as (head: RequestHead) => GuardAllowed | GuardDenied;

function headOf({ method = '', url = '', headersDistinct }: IncomingMessage): RequestHead {
  return { method, target: url, secure: false, headerValues: (name) => headersDistinct[name] ?? [] };
}

/** The path for load balancers and process supervisors. */
const healthPath = '/health';

/**
 * Answers a request for the health of the server: 200 while it can serve, else 503 with the reason. It needs no token, since it
 * reveals nothing of the data or the clients. Returns false for another path.
 */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  healthy: () => Health,
): boolean {
  const { method = '', url = '' } = request;
  if (url.split('?', 1)[0] !== healthPath) return false;
  const passed = checkAddress(headOf(request));
  if ('status' in passed) {
    response.writeHead(passed.status, { 'content-length': 0 }).end();
    return true;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
    return true;
  }
  const health = healthy();
  const body = JSON.stringify(health);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  };
  response.writeHead(health.healthy ? 200 : 503, headers).end(method === 'HEAD' ? undefined : body);
  return true;
}

/** Opens a listener for each port, which carriers with equal ports share. Opens none where one of them cannot be. */
export async function openListeners(
  acceptor: ConnectionHandler,
  ports: Ports,
  options: Omit<ListenerOptions, 'port' | 'carriers'>,
): Promise<readonly Listener[]> {
  const wanted = carriers.filter((carrier) => ports[carrier] !== undefined);
  const byPort = new Map<number, Carrier[]>();
  for (const carrier of wanted) {
    const port = ports[carrier] as number;
    byPort.set(port, [...(byPort.get(port) ?? []), carrier]);
  }
  const opening = [...byPort].map(([port, shared]) =>
    openListener(acceptor, { ...options, port, carriers: shared }),
  );
  const opened = await Promise.allSettled(opening);
  const listeners = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return listeners;
  await Promise.all(listeners.map((listener) => listener.close()));
  throw failed.reason;
}

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** What slow, large or idle requests may cost. */
const bounds = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
  maxHeaderSize: 16 * 1024,
};

/** Makes a web server, which does not listen yet. Throws the system's error for an invalid certificate. */
function boundedServer(tls: Certificate | undefined, upgrades: boolean): Server | SecureServer {
  // Clients that would like HTTP/2 ask for an upgrade too. Newer versions of Node ask which ones are meant.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    upgrades && headers.upgrade?.toLowerCase() === 'websocket';
  const options = { ...bounds, shouldUpgradeCallback };
  const server = tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
  // Node would drop headers beyond the 1,000th; their size is limited.
  server.maxHeadersCount = 0;
  return server;
}
