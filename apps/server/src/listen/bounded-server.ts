import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';

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

/** Makes a web server, which does not listen yet. Throws the system's error for a certificate that is none. */
export function boundedServer(tls: Certificate | undefined, upgrades: boolean): Server | SecureServer {
  // Clients that would like HTTP/2 ask for an upgrade too. Newer versions of Node ask which ones are meant.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    upgrades && headers.upgrade?.toLowerCase() === 'websocket';
  const options = { ...bounds, shouldUpgradeCallback };
  return tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
}
