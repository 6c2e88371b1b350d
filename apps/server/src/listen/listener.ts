import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Carrier, carriers, type Ports } from '@rxmcp/app-serving/ports';
import type { Health } from 'rxmcp';
import type { ConnectionHandler, DrainOptions, ServeHandle } from 'rxmcp/transport';
import { guard, type GuardAllowed, type GuardDenied, type RequestHead } from 'rxmcp/transport/guard';
import { endUnreadBody, listen } from 'rxmcp/transport/node';
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
  const { server, url, route, stop } = await listen(tls === undefined ? { port } : { port, tls });
  route((request, response) => {
    if (mounted.some((mount) => mount.request?.(request, response))) return true;
    endUnreadBody(request, response);
    return protection.metadata(request, response) || answerHealth(request, response, healthy);
  });
  if (mounted.some((mount) => mount.upgrade !== undefined)) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!mounted.some((mount) => mount.upgrade?.(request, socket, head))) rejectUpgrade(socket);
    });
  }
  // One connection that cannot be accepted ends nothing.
  server.on('error', () => undefined);
  const urls = mounted.map(({ scheme, path }) => url(scheme, path));
  protection.begin(urls);
  const end = async (how: (mount: Mount) => Promise<void>): Promise<void> => {
    isEnding = true;
    await Promise.all(mounted.map(how));
    // Clients answer what running work asks with requests of their own, so the port is released last.
    await stop();
  };
  return {
    urls,
    drain: (drainOptions?: DrainOptions) => end((mount) => mount.drain(drainOptions)),
    close: () => end((mount) => mount.close()),
  };
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
