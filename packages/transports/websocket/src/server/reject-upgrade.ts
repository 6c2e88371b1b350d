import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GuardDenied } from '@rxmcp/transport/guard';

/** Answers an upgrade with a status instead of a socket, and ends its connection. */
export function rejectUpgrade(socket: Duplex, { status, headers, message }: GuardDenied): void {
  const body = `${message}\n`;
  const all = {
    ...headers,
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value.replace(/[\r\n\0]/g, ' ')}`);
  socket.on('error', ignoreError);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Ignores the errors of a connection without a handler. Node removes its own listeners before `upgrade`, and an `error` event
 * without a listener ends the process.
 */
export function ignoreError(this: Duplex): void {
  this.destroy();
}
