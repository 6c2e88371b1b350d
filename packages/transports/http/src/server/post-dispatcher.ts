import {
  decode,
  type JsonRpcRequest,
  HEADER_MISMATCH,
  type RequestId,
  INVALID_PARAMS,
  INVALID_REQUEST,
  messageKind,
  PARSE_ERROR,
  type WireError,
} from '@rxmcp/jsonrpc';
import { detectEra, invalidReason, isBatch, META_KEYS, namesVersion } from '@rxmcp/jsonrpc/internal';
import { estimateRequestBytes, TransportError } from '@rxmcp/transport';
import { bare, busy, complain, HeldBytes, type HttpExchange, loopTurns } from '@rxmcp/transport/internal';
import { PostLane } from './lane.js';
import { readMessageHeaders } from './read-message-headers.js';
import { addCaller, arrivalIn, type Arriving, legacyArrival } from './receive-info.js';
import { assumedVersion, hasBatches, isPerRequest, usesNullErrorId, sessionVersions } from './revisions.js';
import { lost, type Session } from './connections/session.js';
import type { StatelessHost } from './connections/stateless-host.js';
import type { Sessions } from './connections/sessions.js';

const maxBatch = 100;

/**
 * Parses the body of each POST, finds the revision and the connection of its message, and delivers it to that connection.
 * @see Spec 2026-07-28 basic/versioning
 */
export class PostDispatcher {
  /** @param sessionless Returns the connection for a request without a session; `undefined` where new requests are rejected. */
  constructor(
    private readonly sessions: Sessions | undefined,
    private readonly sessionless: (exchange: HttpExchange) => StatelessHost | undefined,
  ) {}

  /** Takes one body. `open` is false while no new session may begin. */
  take(exchange: HttpExchange, text: string, open: boolean): void {
    let value: unknown;
    exchange.heldBytes = estimateRequestBytes(text);
    try {
      value = decode(text);
    } catch (error) {
      const { rpcCode, message, id, code } = error as WireError;
      this.fault(exchange, new TransportError(code, message, { cause: error }));
      return this.#malformed(exchange, message, id, rpcCode);
    }
    if (isBatch(value)) return this.#batch(exchange, value);
    const kind = messageKind(value);
    if (kind === 'invalid') {
      const { message, id } = invalidReason(value);
      this.fault(exchange, new TransportError('INVALID_MESSAGE', message));
      return this.#malformed(exchange, message, id);
    }
    const claim = detectEra(value);
    // A version that is no string is an invalid claim of the modern era, not none.
    if (claim === 'modern' || namesVersion(value)) return this.#alone(exchange, value, kind === 'request');
    if (claim === 'legacy' && kind === 'request') return this.#opening(exchange, value, open);
    const version = exchange.header('mcp-protocol-version');
    if (version !== undefined && !sessionVersions.includes(version)) {
      return this.#foreignVersion(exchange, value, kind, version);
    }
    const session = this.sessionOf(exchange);
    if (session === 'none') this.#withoutSession(exchange, value, kind);
    else if (session === undefined) complain(exchange, lost);
    else this.#within(session, exchange, value, kind === 'request');
  }

  /** A body that is no text. */
  unreadable(exchange: HttpExchange, message: string): void {
    this.fault(exchange, new TransportError('PARSE_ERROR', message));
    this.#malformed(exchange, message, undefined, PARSE_ERROR);
  }

  /** The session that a request names; 'none' when it names none. */
  sessionOf(exchange: HttpExchange): Session | undefined | 'none' {
    const id = exchange.header('mcp-session-id');
    if (id === undefined) return 'none';
    return this.sessions?.find(id, exchange.caller, (session) => {
      session.connection.fault(
        new TransportError('INVALID_MESSAGE', 'another caller used the id of this session'),
      );
    });
  }

  /** Something went wrong that belongs to no session. */
  fault(exchange: HttpExchange, error: TransportError): void {
    try {
      this.sessionless(exchange)?.connection.fault(error);
    } catch {
      // The connection handler rejects connections, so faults have no receiver.
    }
  }

  #alone(exchange: HttpExchange, value: unknown, isRequest: boolean): void {
    const headers = readMessageHeaders(exchange);
    if (headers === undefined) {
      const { id } = value as { id?: RequestId };
      return complain(exchange, {
        status: 400,
        code: HEADER_MISMATCH,
        message: 'a header cannot be decoded',
        id,
      });
    }
    this.#stateless(exchange, value, isRequest, { headers }, true);
  }

  #opening(exchange: HttpExchange, value: unknown, open: boolean): void {
    const named = this.sessionOf(exchange);
    if (named === undefined) return complain(exchange, lost);
    const { id } = value as { id: RequestId };
    if (named !== 'none') {
      return complain(exchange, { status: 400, message: '"initialize" has been answered already', id });
    }
    const { caller } = exchange;
    if (this.sessions === undefined) return this.#stateless(exchange, value, true, {}, false);
    const session = open ? this.sessions.begin(caller, exchange.holder) : closingMessage;
    if (typeof session === 'string') return busy(exchange, session);
    session.enter();
    const lane = new PostLane(session, exchange, false);
    const info: Arriving = { lane };
    if (caller !== undefined) addCaller(info, caller);
    if (!session.connection.received(value, info, exchange.heldBytes)) {
      lane.drop((late) => busy(late, closingMessage));
    }
  }

  /** A request without metadata that names a revision which needs it, or none that is known. */
  #foreignVersion(exchange: HttpExchange, value: unknown, kind: string, version: string): void {
    const { id } = value as { id?: RequestId };
    const known = isPerRequest(version);
    if (kind === 'request' && known) {
      const message = `a request of this revision needs "${META_KEYS.protocolVersion}" in its _meta`;
      return complain(exchange, { status: 400, code: INVALID_PARAMS, message, id });
    }
    if (kind === 'notification' && known) return this.#alone(exchange, value, false);
    const message = known ? 'no request waits for this response' : unsupportedVersionMessage.message;
    complain(exchange, { status: 400, message, ...(kind === 'request' ? { id } : {}) });
  }

  #withoutSession(exchange: HttpExchange, value: unknown, kind: string): void {
    const { id } = value as { id?: RequestId };
    if (this.sessions !== undefined) {
      const message = 'the Mcp-Session-Id header is missing';
      return complain(exchange, { status: 400, message, ...(kind === 'request' ? { id } : {}) });
    }
    if (kind === 'result' || kind === 'error') {
      return complain(exchange, { status: 400, message: 'no request waits for this response' });
    }
    this.#stateless(exchange, value, kind === 'request', legacyArrival(exchange), false);
  }

  #within(session: Session, exchange: HttpExchange, value: unknown, isRequest: boolean): void {
    const info = arrivalIn(session, exchange);
    if (!isRequest)
      return this.#noted(exchange, session.connection.received(value, info, exchange.heldBytes));
    session.enter();
    session.expiry?.received(value, exchange.caller);
    const lane = new PostLane(session, exchange, false);
    deliver(session, value, info, lane, exchange.heldBytes);
  }

  #stateless(
    exchange: HttpExchange,
    value: unknown,
    isRequest: boolean,
    info: Arriving,
    modern: boolean,
  ): void {
    const host = this.sessionless(exchange);
    if (host === undefined) return busy(exchange, closingMessage);
    info.holder = exchange.holder;
    if (exchange.caller !== undefined) addCaller(info, exchange.caller);
    if (!isRequest) {
      host.noted();
      return this.#noted(exchange, host.connection.received(value, info, exchange.heldBytes));
    }
    host.enter();
    const lane = new PostLane(host, exchange, modern);
    // Other requests end with their responses.
    if ((value as JsonRpcRequest).method === 'subscriptions/listen') lane.endWithCredentials(exchange.caller);
    deliver(host, value, info, lane, exchange.heldBytes);
  }

  #batch(exchange: HttpExchange, entries: readonly unknown[]): void {
    const session = this.sessionOf(exchange);
    if (session === undefined) return complain(exchange, lost);
    const version = exchange.header('mcp-protocol-version') ?? assumedVersion;
    const spoken = session === 'none' ? version : session.version;
    const takes =
      hasBatches(spoken) &&
      entries.length > 0 &&
      entries.length <= maxBatch &&
      detectEra(entries) === 'unknown' &&
      !entries.some(isBatch) &&
      (session !== 'none' || this.sessions === undefined);
    if (!takes)
      return this.#malformed(
        exchange,
        'a batch is accepted in revision 2025-03-26, with 1 to 100 messages and none that opens a session',
      );
    const host = session === 'none' ? this.sessionless(exchange) : session;
    if (host === undefined) return busy(exchange, closingMessage);
    const kinds = entries.map(messageKind);
    const ids = entries
      .filter((_, at) => kinds[at] === 'request')
      .map((entry) => (entry as { id: RequestId }).id);
    const info = session === 'none' ? legacyArrival(exchange) : arrivalIn(session, exchange);
    if (session !== 'none') session.expiry?.received(entries, exchange.caller);
    info.holder = exchange.holder;
    if (ids.length === 0) {
      if (kinds.includes('invalid')) return this.#malformed(exchange, 'an entry of this batch is no message');
      return this.#noted(exchange, host.connection.received(entries, info, exchange.heldBytes));
    }
    host.enter();
    const lane = new PostLane(host, exchange, false, ids);
    // What is no message is answered here, so that one rejection of the peer is one of all the rest.
    const noId = session !== 'none' && usesNullErrorId(session.version) ? { id: null } : {};
    for (const entry of entries.filter((_, at) => kinds[at] === 'invalid')) {
      const { message, id } = invalidReason(entry);
      const named = id === undefined ? noId : { id };
      lane.add(JSON.stringify({ jsonrpc: '2.0', ...named, error: { code: INVALID_REQUEST, message } }));
    }
    const valid = entries.filter((_, at) => kinds[at] !== 'invalid');
    deliverInTurns(host, valid, info, lane, exchange);
  }

  #noted(exchange: HttpExchange, taken: boolean): void {
    if (taken) exchange.respond(202, bare);
    else busy(exchange, tooMuch, 1);
  }

  /** Rejects something whose sender may not even have an id. */
  #malformed(exchange: HttpExchange, message: string, id?: RequestId, code?: number): void {
    const session = this.sessionOf(exchange);
    const noId = session !== 'none' && usesNullErrorId(session?.version) ? null : undefined;
    complain(exchange, { status: 400, message, id: id ?? noId, ...(code === undefined ? {} : { code }) });
  }
}

/** Delivers a message that is or contains requests. If the connection does not accept it, answers 503 and returns false. */
function deliver(
  host: Session | StatelessHost,
  value: unknown,
  info: Arriving,
  lane: PostLane,
  bytes: number,
): boolean {
  info.lane = lane;
  const taken = host.connection.received(value, info, bytes);
  if (!taken) lane.drop((late) => busy(late, tooMuch, 1));
  return taken;
}

/**
 * Delivers the entries of a batch until the turn of the event loop is over, each as a batch of one. The rest of them is charged and
 * waits for later turns. What the same holder sends meanwhile waits behind it, so that it overtakes no entry.
 */
function deliverInTurns(
  host: Session | StatelessHost,
  entries: readonly unknown[],
  info: Arriving,
  lane: PostLane,
  { holder, heldBytes }: HttpExchange,
): void {
  const bytes = Math.ceil(heldBytes / entries.length);
  const waiting = new HeldBytes(host.shared.memory, holder);
  let at = 0;
  const next = (): void => {
    waiting.resize(0);
    for (const entry of entries.slice(at)) {
      // Without memory for the rest it is not kept: the peer rejects what exceeds the share of the caller.
      if (at > 0 && !loopTurns.hasTime() && waiting.resize(bytes * (entries.length - at)))
        return loopTurns.run(holder, next, 'unshift');
      at += 1;
      if (!deliver(host, [entry], info, lane, bytes)) return;
    }
  };
  loopTurns.begin();
  next();
}

/** The response to a client that names an unknown revision. */
export const unsupportedVersionMessage = {
  status: 400,
  message: `unsupported MCP-Protocol-Version; this server supports ${sessionVersions.join(', ')}, and 2026-07-28 with its _meta`,
};
/** What is answered to new requests while the server closes. */
export const closingMessage = 'the server is closing';
const tooMuch = 'too many messages wait for this server';
