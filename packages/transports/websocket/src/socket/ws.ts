import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { TransportError } from '@rxmcp/transport';
import { closeCodes } from '../close-codes.js';
import { closeTimeoutMs, subprotocol } from '../limits.js';
import { maxFragments, WsCarrier } from '../ws-carrier.js';
import { type OpenSocket, shownUrl } from './opening.js';
import { refusedWith } from './refused-with.js';

/** Node: a socket of `ws`, which sends headers, pings, and stops reading where its answers are not read. */
export const openSocket: OpenSocket = (opening) => {
  const { url, headers, ca, maxMessageBytes, stallMs, heartbeatMs, signal } = opening;
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, subprotocol, {
      headers,
      ...(ca === undefined ? {} : { ca: [ca].flat() }),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: maxMessageBytes,
      maxFragments,
      ...{ closeTimeout: closeTimeoutMs },
    });
    const giveUp = (): void => {
      ws.terminate();
      reject(signal.reason as Error);
    };
    let stream: IncomingMessage['socket'] | undefined;
    const settled = (): void => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp);
    // Stays: what fails after the dial is told by the close that follows.
    ws.on('error', (cause: NodeJS.ErrnoException) => {
      settled();
      const why = cause.code ?? cause.message;
      reject(
        new TransportError('DIAL_FAILED', `Cannot connect to ${shownUrl(url)}: ${why}`, {
          cause,
          outcome: 'not-sent',
          details: { code: cause.code },
        }),
      );
    });
    ws.on('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      settled();
      reject(refusedWith(url, response));
      ws.terminate();
    });
    ws.on('upgrade', (response) => {
      stream = response.socket;
    });
    ws.on('open', () => {
      settled();
      if (stream === undefined) return;
      const options = { stream, stallMs, heartbeatMs, isDialled: true, closeCode: () => closeCodes.normal };
      // Made now, so that what comes at once is held back.
      resolve(new WsCarrier(ws, options));
    });
  });
};
