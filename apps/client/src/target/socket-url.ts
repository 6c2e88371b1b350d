import { connect } from 'node:net';
import { socket } from 'rxmcp/stdio/net';
import type { Transport } from 'rxmcp/transport';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Where a socket is. */
export type SocketAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * Reads the URL of a socket: `tcp://HOST:PORT`, `tcp:HOST:PORT`, `tcp:PORT` on this machine, `unix:PATH`. Throws a UsageError.
 */
function addressOf(url: string): SocketAddress {
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

/** Returns where a URL of any transport leads to. Throws a UsageError for a URL of a socket that is not valid. */
export function addressAt(url: string): SocketAddress {
  if (/^(?:tcp|unix):/i.test(url)) return addressOf(url);
  const { protocol, hostname, port } = new URL(url.replace(/^sse\+/i, ''));
  const byDefault = /^(?:https|wss):$/.test(protocol) ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? byDefault : Number(port) };
}

/** Resolves with whether something listens at a URL. */
export function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(addressAt(url));
    const ended = (found: boolean) => (): void => {
      probe.destroy();
      resolve(found);
    };
    probe.on('connect', ended(true)).on('error', ended(false)).setTimeout(lookMs, ended(false));
  });
}

/** Time for one look, in milliseconds. */
const lookMs = 1_000;

/** Returns the transport to the socket of a URL, one message per line. Throws a UsageError. */
export function socketAt(url: string): Transport {
  return socket(addressOf(url));
}
