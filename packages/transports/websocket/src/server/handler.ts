import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type Acceptor,
  connectionOf,
  type DrainOptions,
  pipeTraits,
  type ServeHandle,
  Serving,
} from '@rxmcp/transport';
import { Budget, guard, type GuardOptions, type Passed, type Refused } from '@rxmcp/transport/guard';
import { defaultBufferedBytes, headOf } from '@rxmcp/transport/node';
import { WebSocketServer } from 'ws';
import { closeCodes } from '../close-codes.js';
import { closeTimeoutMs, defaults, subprotocol } from '../web-socket-options.js';
import { maxFragments, WsCarrier } from '../ws-carrier.js';
import { nobodysLoss, refuse } from './refuse.js';

/** Options of {@link webSocketHandler}. */
export interface WebSocketHandlerOptions extends GuardOptions {
  /** Largest message in either direction, in bytes; a larger one ends its connection with 1009. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** How long a client that reads nothing is waited for, in milliseconds, before it is cut with 1013. @default 30000 */
  readonly stallMs?: number;
  /** How often a client is pinged, in milliseconds; two pings after which nothing came are a loss. @default 15000 */
  readonly heartbeatMs?: number;
  /**
   * How long a client may take to send its first message, in milliseconds, before 1008; for ever with `Infinity`.
   * @default 10000
   */
  readonly firstMessageMs?: number;
  /**
   * Bytes of unfinished messages that may be held at a time, counted by the chunks that they come in; a message that finds no
   * room ends its connection with 1013. Never less than `maxMessageBytes` and 64 KiB, so that one always has room.
   * @default 67108864, at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /** How many connections may be open; further ones are refused with 503. @default 10000 */
  readonly maxConnections?: number;
}

/** What surrounds the largest message: its own head, and pieces of others in the same chunk. */
const frameBytes = 64 * 1024;

/** What a server of the reader's own calls at its `upgrade` event. */
export interface WebSocketHandler extends ServeHandle {
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): void;
}

/**
 * Serves MCP on the upgrades that it is given, whatever their path. Before any 101 they are asked for Host, Origin and
 * credentials (400, 403, 401) and for the subprotocol `mcp` (400). `drain` and `close` end the connections, with 1012 and
 * 1001, and refuse further ones with 503; the server that they came from is not theirs to end.
 * Throws a TypeError for a host or an origin that is none. MCP 2026-07-28 basic, transports, custom transports.
 */
export function webSocketHandler(
  acceptor: Acceptor,
  options: WebSocketHandlerOptions = {},
): WebSocketHandler {
  const { maxMessageBytes = defaults.maxMessageBytes, maxConnections = defaults.maxConnections } = options;
  const { stallMs = defaults.stallMs, heartbeatMs = defaults.heartbeatMs } = options;
  const { firstMessageMs = defaults.firstMessageMs } = options;
  const { maxBufferedBytes = defaultBufferedBytes() } = options;
  const budget = new Budget(Math.max(maxBufferedBytes, maxMessageBytes + frameBytes));
  const judge = guard(options);
  const opening = new Set<Duplex>();
  let isOver = false;
  let ending: number = closeCodes.normal;
  const serving = new Serving(acceptor, () => {
    isOver = true;
  });
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
    maxPayload: maxMessageBytes,
    maxFragments,
    ...{ closeTimeout: closeTimeoutMs },
  });

  const judged = (
    verdict: Passed | Refused,
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
  ): void => {
    opening.delete(socket);
    if (socket.destroyed) return;
    if ('status' in verdict) refuse(socket, verdict);
    else if (!offersSubprotocol(request)) refuse(socket, wrongSubprotocol);
    else if (isOver) refuse(socket, stopping);
    else open(request, socket, head, verdict);
  };

  const open = (request: IncomingMessage, socket: Duplex, head: Uint8Array, { principal }: Passed): void => {
    socket.off('error', nobodysLoss);
    sockets.handleUpgrade(request, socket, head as Buffer, (ws) => {
      const carrier = new WsCarrier(ws, {
        stream: socket,
        stallMs,
        heartbeatMs,
        firstMessageMs,
        isDialled: false,
        budget,
        closeCode: () => ending,
      });
      const traits = { ...pipeTraits, maxMessageBytes, redialable: false };
      const connection = connectionOf(carrier, principal === undefined ? traits : { ...traits, principal });
      try {
        serving.accept(connection);
      } catch {
        // Its own business, and no reason to end the process that serves.
        ws.close(closeCodes.internalError);
        void connection.close();
      }
    });
  };

  const end = async (code: number, settle: () => Promise<void>): Promise<void> => {
    if (!isOver) ending = code;
    isOver = true;
    for (const socket of opening) socket.destroy();
    await settle();
  };

  return {
    upgrade(request, socket, head) {
      socket.on('error', nobodysLoss);
      if (isOver) return refuse(socket, stopping);
      if (serving.size + opening.size >= maxConnections) return refuse(socket, tooMany);
      const verdict = judge(headOf(request));
      if (!('then' in verdict)) return judged(verdict, request, socket, head);
      opening.add(socket);
      void verdict.then((found) => judged(found, request, socket, head));
    },
    drain: (drainOptions?: DrainOptions) => end(closeCodes.restart, () => serving.drain(drainOptions)),
    close: () => end(closeCodes.goingAway, () => serving.close()),
  };
}

const wrongSubprotocol: Refused = {
  status: 400,
  headers: { 'sec-websocket-protocol': subprotocol },
  message: `the subprotocol "${subprotocol}" is needed`,
};
const stopping: Refused = {
  status: 503,
  headers: { 'retry-after': '5' },
  message: 'this server is stopping',
};
const tooMany: Refused = {
  status: 503,
  headers: { 'retry-after': '5' },
  message: 'too many connections are open',
};

function offersSubprotocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol']?.split(',') ?? [];
  return offered.some((name) => name.trim() === subprotocol);
}
