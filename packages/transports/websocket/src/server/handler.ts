import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ConnectionHandler,
  createConnection,
  type DrainOptions,
  pipeTraits,
  processMemory,
  type ServeHandle,
  ConnectionSet,
} from '@rxmcp/transport';
import {
  guard,
  type GuardOptions,
  type GuardAllowed,
  type GuardDenied,
  type IncomingRequestOptions,
} from '@rxmcp/transport/guard';
import {
  addressOf,
  alikeServerOptions,
  CredentialExpiry,
  HeldConnections,
  holderName,
  identityOf,
  knownGuardOptions,
  listenerMemory,
  loopTurns,
  rejectUnknownOptions,
  runningCallsMs,
  UnfinishedMessageBudget,
  UnreadOutput,
} from '@rxmcp/transport/internal';
import { defaultBufferedBytes, requestHead } from '@rxmcp/transport/node/internal';
import { WebSocketServer } from 'ws';
import { closeCodes } from '../channel/close-codes.js';
import { closeTimeoutMs, defaults, subprotocol } from '../channel/web-socket-options.js';
import { maxFragments, WsChannel } from '../channel/ws-channel.js';
import { ignoreError, rejectUpgrade } from './reject-upgrade.js';
import { ticketRoute } from './ticket-route.js';
import { ticketIn, Tickets } from './tickets.js';

/** Options of {@link webSocketHandler}. */
export interface WebSocketHandlerOptions extends GuardOptions {
  /** Largest message in either direction, in bytes; a larger one ends its connection with 1009. @default 4194304 */
  readonly maxMessageBytes?: number;
  /** How long to wait for the client to read before its connection is cut with 1013, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How often a client is pinged, in milliseconds; two pings after which nothing came are a loss. @default 15000 */
  readonly heartbeatIntervalMs?: number;
  /**
   * How long a client may take to send its first message, in milliseconds, before 1008; for ever with `Infinity`.
   * @default 10000
   */
  readonly firstMessageTimeoutMs?: number;
  /**
   * Bytes of unfinished messages that may be held at a time, counted by the chunks that they come in, with 128 for each chunk and
   * fragment. Beyond it, the largest message of the principal or address that holds most ends its connection with 1013. One principal,
   * or one address of anonymous clients, may hold half of it. Never less than 9/8 of `maxMessageBytes` and 192 KiB, so that one
   * message has room.
   * @default 67108864, at most an eighth of the heap
   */
  readonly maxBufferedBytes?: number;
  /**
   * How many connections may be open, half of them of one principal or address; further ones are rejected with 503. Those whose callers
   * are being authenticated count for their address. @default 10000
   */
  readonly maxConnections?: number;
}

/** The names of {@link WebSocketHandlerOptions}. */
export const knownHandlerOptions: Record<keyof WebSocketHandlerOptions, true> = {
  ...knownGuardOptions,
  maxMessageBytes: true,
  writeTimeoutMs: true,
  heartbeatIntervalMs: true,
  firstMessageTimeoutMs: true,
  maxBufferedBytes: true,
  maxConnections: true,
};

/**
 * The chunks that a message keeps in addition to its own bytes: the one in which it began, the one with the beginning of its next frame,
 * and one that waits to be parsed.
 */
const chunkBytes = 3 * 64 * 1024;

/** What a server of the reader's own calls at its `upgrade` event. */
export interface WebSocketHandler extends ServeHandle {
  /** Serves one upgrade. `options.caller` is the caller that the application has authenticated. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array, options?: IncomingRequestOptions): void;
  /**
   * Answers a request of a page for a ticket, which it offers with its upgrade as the subprotocol `mcp.ticket.TICKET`, next to `mcp`,
   * instead of the credentials that it cannot send there. Each is valid for 30 s, one upgrade, and the `Origin` of this request.
   */
  ticket(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Serves MCP on the upgrades that it is given, whatever their path. Before any 101 they are asked for Host, Origin and
 * credentials (400, 403, 401) and for the subprotocol `mcp` (400). `drain` and `close` end the connections, with 1012 and
 * 1001, and reject further ones with 503; the server that they came from is not theirs to end.
 * MCP 2026-07-28 basic, transports, custom transports.
 * @throws TypeError for an invalid host or origin
 */
export function webSocketHandler(
  handler: ConnectionHandler,
  options: WebSocketHandlerOptions = {},
): WebSocketHandler {
  rejectUnknownOptions('webSocketHandler', options, knownHandlerOptions, {
    ...alikeServerOptions,
    port: 'serveWebSocket(server, { port })',
    path: 'serveWebSocket(server, { path })',
  });
  return createWebSocketHandler(handler, options);
}

/** {@link webSocketHandler} for options that are checked and may have others. */
export function createWebSocketHandler(
  handler: ConnectionHandler,
  options: WebSocketHandlerOptions,
): WebSocketHandler {
  const { maxMessageBytes = defaults.maxMessageBytes, maxConnections = defaults.maxConnections } = options;
  const { writeTimeoutMs = defaults.writeTimeoutMs, heartbeatIntervalMs = defaults.heartbeatIntervalMs } =
    options;
  const { firstMessageTimeoutMs = defaults.firstMessageTimeoutMs } = options;
  const { maxBufferedBytes = defaultBufferedBytes() } = options;
  const leastBytes = maxMessageBytes + maxMessageBytes / 8 + chunkBytes;
  const judge = guard(options);
  const tickets = new Tickets();
  const opening = new Set<Duplex>();
  let isOver = false;
  let ending: number = closeCodes.normal;
  const connections = new ConnectionSet(handler, () => {
    isOver = true;
  });
  const { memory = processMemory() } = handler;
  const held = new HeldConnections(memory, maxConnections, 'maxConnections');
  const unfinished = new UnfinishedMessageBudget(listenerMemory(handler, maxBufferedBytes, leastBytes));
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
    maxPayload: maxMessageBytes,
    maxFragments,
    autoPong: false,
    ...{ closeTimeout: closeTimeoutMs },
  });

  const judged = (
    verdict: GuardAllowed | GuardDenied,
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
  ): void => {
    if (socket.destroyed) return;
    if ('status' in verdict) rejectUpgrade(socket, verdict);
    else if (!offersSubprotocol(request)) rejectUpgrade(socket, wrongSubprotocol);
    else {
      const holder = holderName(verdict.principal, verdict.address ?? request.socket.remoteAddress);
      if (!isCounted(socket, holder)) return;
      opening.add(socket);
      socket.once('close', () => held.remove(holder));
      // Thousands may be opened at a time.
      loopTurns.run(holder, () => open(request, socket, head, verdict, holder));
    }
  };

  const open = (
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
    caller: GuardAllowed,
    holder: string,
  ): void => {
    opening.delete(socket);
    if (socket.destroyed) return;
    if (isOver) return rejectUpgrade(socket, stopping);
    const identity = identityOf(caller);
    socket.off('error', ignoreError);
    sockets.handleUpgrade(request, socket, head as Buffer, (ws) => {
      const channel = new WsChannel(ws, {
        stream: socket,
        writeTimeoutMs,
        heartbeatIntervalMs,
        firstMessageTimeoutMs,
        isDialled: false,
        memory: { holder, unfinished, unread: new UnreadOutput(memory, holder) },
        closeCode: () => ending,
      });
      const traits = { ...pipeTraits, maxMessageBytes, redialable: false, holder };
      const connection = createConnection(channel, { ...traits, ...identity });
      const served = connections.accept(connection, () => ws.close(closeCodes.internalError));
      if (caller.expiresAt === undefined) return;
      const expired = async (): Promise<void> => {
        await served.drain({ timeoutMs: runningCallsMs });
        channel.expire();
      };
      const expiry = new CredentialExpiry(caller, () => void expired());
      ws.once('close', () => expiry.stop());
    });
  };

  /** Counts a socket for its holder, or rejects it and returns false. */
  const isCounted = (socket: Duplex, holder: string): boolean => {
    const message = held.add(holder);
    if (message !== undefined) rejectUpgrade(socket, { ...tooMany, message });
    return message === undefined;
  };

  /** A socket is counted for its address until its caller is known, or it has closed. Returns what ends that. */
  const authenticating = (socket: Duplex, address: string): (() => void) => {
    const left = (): void => void socket.destroy();
    const ended = (): void => {
      socket.off('readable', left).off('close', ended);
      if (opening.delete(socket)) held.remove(address);
    };
    opening.add(socket);
    // A client must not send before the response, and nothing has charged it. The server lets one side end alone, which is of no use to a
    // WebSocket.
    socket.on('readable', left).on('close', ended);
    return ended;
  };

  const end = async (code: number, settle: () => Promise<void>): Promise<void> => {
    if (!isOver) ending = code;
    isOver = true;
    for (const socket of opening) socket.destroy();
    await settle();
  };

  return {
    upgrade(request, socket, head, requestOptions) {
      socket.on('error', ignoreError);
      if (isOver) return rejectUpgrade(socket, stopping);
      if (held.size >= maxConnections) return rejectUpgrade(socket, tooMany);
      const ticket = ticketIn(request.headers['sec-websocket-protocol']);
      const caller = ticket === undefined ? undefined : tickets.take(ticket, request.headers.origin);
      if (ticket !== undefined && caller === undefined) return rejectUpgrade(socket, wrongTicket);
      const from = requestHead(request);
      const verdict = judge(from, requestOptions?.caller ?? caller);
      if (!('then' in verdict)) return judged(verdict, request, socket, head);
      if (head.length > 0) return rejectUpgrade(socket, early);
      const address = holderName(undefined, addressOf(from, options.clientAddress));
      if (!isCounted(socket, address)) return;
      const ended = authenticating(socket, address);
      void verdict.then((found) => {
        ended();
        judged(found, request, socket, head);
      });
    },
    ticket: ticketRoute(tickets, judge, options),
    drain: (drainOptions?: DrainOptions) => end(closeCodes.restart, () => connections.drain(drainOptions)),
    close: () => end(closeCodes.goingAway, () => connections.close()),
  };
}

const wrongSubprotocol: GuardDenied = {
  status: 400,
  headers: { 'sec-websocket-protocol': subprotocol },
  message: `the subprotocol "${subprotocol}" is needed`,
};
const wrongTicket: GuardDenied = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  message: 'the ticket is unknown, used, too old or of another origin',
};
const early: GuardDenied = {
  status: 400,
  headers: {},
  message: 'a client must wait for the response before it sends more',
};
const stopping: GuardDenied = {
  status: 503,
  headers: { 'retry-after': '5' },
  message: 'this server is stopping',
};
const tooMany: GuardDenied = {
  status: 503,
  headers: { 'retry-after': '5' },
  message: 'as many connections are open, or being opened, as "maxConnections" allows. Retry later',
};

function offersSubprotocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol']?.split(',') ?? [];
  return offered.some((name) => name.trim() === subprotocol);
}
