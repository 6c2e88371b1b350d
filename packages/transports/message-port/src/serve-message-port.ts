import { type Acceptor, type ServeHandle, Serving } from '@rxmcp/transport';
import { connectionOfPort, type MessagePortOptions } from './connection-of-port.js';
import type { PortLike } from './port-like.js';

/** Options of {@link serveMessagePort}. */
export interface ServeMessagePortOptions extends MessagePortOptions {
  /** Who is at the other end of the port. @default anonymous */
  readonly principal?: string;
}

/**
 * Serves the one client at the other end of a port: the global scope of a browser's worker, `parentPort` of a worker of
 * Node, one port of a channel, one that a shared worker was connected with. The port is closed with the connection; a global
 * scope and a Worker are left as they are. MCP basic, transports, custom transports.
 */
export function serveMessagePort(
  acceptor: Acceptor,
  port: PortLike,
  options: ServeMessagePortOptions = {},
): ServeHandle {
  const serving = new Serving(acceptor);
  serving.accept(connectionOfPort(port, { ...options, endsWorker: false, redialable: false }));
  return serving;
}
