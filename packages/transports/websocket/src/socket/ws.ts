import type { ClientRequest, IncomingMessage } from 'node:http';
import { TransportError } from '@rxmcp/transport';
import { clientMessages, connectionHolder, omitUndefined, retryAfter } from '@rxmcp/transport/internal';
import { WebSocket } from 'ws';
import { closeCodes } from '../channel/close-codes.js';
import { closeTimeoutMs, subprotocol } from '../channel/web-socket-options.js';
import { maxFragments, WsChannel } from '../channel/ws-channel.js';
import { describeUrl, httpAddress, type Sockets } from './handshake-options.js';

const open: Sockets['open'] = (opening) => {
  const { url, headers, credentials, ca, maxMessageBytes, writeTimeoutMs, heartbeatIntervalMs, signal } =
    opening;
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, subprotocol, {
      headers: { ...headers, ...credentials },
      ...(ca === undefined ? {} : { ca: [ca].flat() }),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: maxMessageBytes,
      maxFragments,
      autoPong: false,
      ...{ closeTimeout: closeTimeoutMs },
    });
    const giveUp = (): void => {
      ws.terminate();
      reject(signal.reason as Error);
    };
    let stream: IncomingMessage['socket'] | undefined;
    const settled = (): void => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp);
    // Never removed: after the dial, the following `close` event reports the failure.
    ws.on('error', (cause: NodeJS.ErrnoException) => {
      settled();
      const why = cause.code ?? cause.message;
      reject(
        new TransportError('DIAL_FAILED', `cannot connect to ${describeUrl(url)}: ${why}`, {
          cause,
          details: { code: cause.code },
        }),
      );
    });
    ws.on('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      settled();
      reject(handshakeError(url, response));
      ws.terminate();
    });
    ws.on('upgrade', (response) => {
      stream = response.socket;
    });
    ws.on('open', () => {
      settled();
      if (stream === undefined) return;
      const options = {
        stream,
        writeTimeoutMs,
        heartbeatIntervalMs,
        isDialled: true,
        memory: { holder: connectionHolder(), unfinished: clientMessages() },
        closeCode: () => closeCodes.normal,
      };
      // Made now, so that what comes at once is held back.
      resolve(new WsChannel(ws, options));
    });
  });
};

/** Node: sockets of `ws`, which send headers, ping, and stop reading where their responses are not read. */
export const sockets: Sockets = {
  open,
  authorizedRequest: (url) => ({ method: 'GET', url: httpAddress(url) }),
};

const maxRetryAfterMs = 60_000;

/** The error of a dial that was answered with an HTTP status instead of a socket. Redirects are not followed. */
function handshakeError(url: URL, response: IncomingMessage): TransportError {
  const { statusCode: status = 0, headers } = response;
  const message = `${describeUrl(url)} rejected the connection with status ${status}`;
  if (status === 401 || status === 403) {
    const { 'www-authenticate': challenge, 'dpop-nonce': nonce } = headers;
    const details = omitUndefined({ status, challenge, nonce });
    return new TransportError('UNAUTHORIZED', message, { outcome: 'not-sent', details });
  }
  const afterMs = status === 503 || status === 429 ? retryAfter(headers['retry-after'] ?? null) : undefined;
  const retryable = afterMs !== undefined;
  const details = retryable ? { status, retryAfterMs: Math.min(afterMs, maxRetryAfterMs) } : { status };
  return new TransportError('DIAL_FAILED', message, { retryable, details });
}
