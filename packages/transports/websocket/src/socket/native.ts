import type { TransportError } from '@rxmcp/transport';
import { notSentError } from '@rxmcp/transport';
import { WebSocketLikeChannel } from '../web-socket-like-channel.js';
import { subprotocol } from '../web-socket-options.js';
import { type OpenChannel, describeUrl } from './handshake-options.js';

/** Browsers and other runtimes: the WebSocket of the platform, which sends no headers and cannot ping. */
export const openSocket: OpenChannel = ({ url, headers, ca, writeTimeoutMs, signal }) => {
  const { WebSocket } = globalThis;
  if (typeof WebSocket !== 'function') return Promise.reject(failed(url, 'there is no WebSocket here'));
  if (Object.keys(headers).length > 0) {
    return Promise.reject(failed(url, 'the WebSocket of a browser sends no headers'));
  }
  if (ca !== undefined) return Promise.reject(failed(url, 'a browser takes no certificates'));
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, subprotocol);
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
};

function failed(url: URL, why: string): TransportError {
  return notSentError('DIAL_FAILED', `cannot connect to ${describeUrl(url)}: ${why}`);
}
