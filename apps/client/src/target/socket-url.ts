import { socket } from 'rxmcp/stdio/net';
import type { Transport } from 'rxmcp/transport';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Where a socket is. */
export type SocketAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * Reads the URL of a socket: `tcp://HOST:PORT`, `tcp:HOST:PORT`, `tcp:PORT` on this machine, `unix:PATH`. Throws a UsageError.
 */
export function addressOf(url: string): SocketAddress {
  const [, scheme = '', rest = ''] = /^([^:]*):(?:\/\/)?(.*)$/s.exec(url) ?? [];
  if (scheme.toLowerCase() === 'unix') {
    if (rest === '') throw new UsageError(`${JSON.stringify(url)} has no path: write unix:/path/to/socket`);
    return { path: rest };
  }
  const [, six, four, text = ''] = /^(?:\[([^\]]+)\]:|([^:/]+):)?(\d{1,5})$/.exec(rest) ?? [];
  const port = text === '' ? 0 : Number(text);
  if (port < 1 || port > 65_535)
    throw new UsageError(`${JSON.stringify(url)} has no valid port: write tcp://HOST:PORT`);
  return { host: six ?? four ?? '127.0.0.1', port };
}

/** Returns the transport to the socket of a URL, one message per line. Throws a UsageError. */
export function socketAt(url: string): Transport {
  return socket(addressOf(url));
}
