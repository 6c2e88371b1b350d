import type { TransportError } from '@rxmcp/transport';
import { notSentError } from '@rxmcp/transport';
import { WebSocketLikeChannel } from '../channel/web-socket-like-channel.js';
import { subprotocol } from '../channel/web-socket-options.js';
import { describeUrl, httpAddress, type Sockets } from './handshake-options.js';
import { ticketAddress, ticketFor } from './ticket.js';

/** Browsers and other runtimes: the WebSocket of the platform, which sends no headers and cannot ping. A ticket stands for credentials. */
export const sockets: Sockets = {
  async open({ url, headers, credentials, ca, writeTimeoutMs, signal }) {
    const { WebSocket } = globalThis;
    if (typeof WebSocket !== 'function') throw failed(url, 'there is no WebSocket here');
    if (Object.keys(headers).length > 0) throw failed(url, 'the WebSocket of a browser sends no headers');
    if (ca !== undefined) throw failed(url, 'a browser takes no certificates');
    const ticket = credentials === undefined ? undefined : await ticketFor(url, credentials, signal);
    signal.throwIfAborted();
    const named = ticket === undefined ? [] : [`${subprotocol}.ticket.${ticket}`];
    return opened(new WebSocket(url, [subprotocol, ...named]), url, writeTimeoutMs, signal);
  },
  authorizedRequest: (url) => ({ method: 'POST', url: ticketAddress(url), server: httpAddress(url) }),
};

function opened(
  socket: WebSocket,
  url: URL,
  writeTimeoutMs: number,
  signal: AbortSignal,
): Promise<WebSocketLikeChannel> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.close();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort);
    socket.addEventListener('error', () => {
      signal.removeEventListener('abort', abort);
      // Browsers do not report the reason to pages.
      reject(failed(url, 'the browser could not open it'));
    });
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', abort);
      // Made now, so that what comes at once is held back.
      resolve(new WebSocketLikeChannel(socket, writeTimeoutMs, true));
    });
  });
}

function failed(url: URL, why: string): TransportError {
  return notSentError('DIAL_FAILED', `cannot connect to ${describeUrl(url)}: ${why}`);
}
