import {
  type ConnectionHandler,
  createConnection,
  type DrainOptions,
  type MemoryBudget,
  processMemory,
  type ServedConnection,
  type ServeHandle,
  ConnectionSet,
} from '@rxmcp/transport';
import {
  cors,
  type CorsPolicy,
  type Guard,
  guard,
  type GuardAllowed,
  type GuardDenied,
  type IncomingRequestOptions,
} from '@rxmcp/transport/guard';
import {
  type BodyLimits,
  busy,
  complain,
  type Complaint,
  type HttpExchange,
  isJson,
  isPlain,
  HeldConnections,
  listenerMemory,
  loopTurns,
  ParseTurns,
  reject,
  runningCallsMs,
  takesEvents,
} from '@rxmcp/transport/internal';
import { defaultMaxMessageBytes, sseTraits } from '../binding/traits.js';
import { endpointParts, type SseHandlerOptions } from './options.js';
import { Session, unknownSession } from './session.js';

/** What a request asks for: the stream of a new session, to post a message, or something that is not served here. */
export type Route = 'stream' | 'message' | undefined;

const idBytes = 16;
/** How long a body may take to arrive, in milliseconds: a server of the reader's own may wait for minutes. */
const bodyMs = 30_000;

/** HTTP+SSE independent of the web server: two routes, and sessions with ids that cannot be guessed. */
export class Sessions implements ServeHandle {
  readonly #path: string;
  readonly #messages: string;
  readonly #prefix: string;
  readonly #limits: BodyLimits;
  readonly #memory: MemoryBudget;
  readonly #held: HeldConnections;
  readonly #turns: ParseTurns;
  readonly #guard: Guard;
  readonly #cors: CorsPolicy | undefined;
  readonly #entries = new Map<string, { session: Session; principal: string | undefined }>();
  readonly #connections: ConnectionSet;
  #isStopped = false;

  /** @param schedule Calls back when all that one turn sends has been sent. */
  constructor(
    handler: ConnectionHandler,
    private readonly options: SseHandlerOptions,
    defaultBufferedBytes: number,
    private readonly schedule: (flush: () => void) => void,
  ) {
    const { maxMessageBytes = defaultMaxMessageBytes, maxBufferedBytes = defaultBufferedBytes } = options;
    this.#limits = {
      maxMessageBytes,
      budget: listenerMemory(handler, maxBufferedBytes, maxMessageBytes),
      withinMs: bodyMs,
    };
    this.#memory = handler.memory ?? processMemory();
    this.#held = new HeldConnections(this.#memory, options.maxSessions ?? 10_000, 'maxSessions');
    this.#turns = new ParseTurns(this.#memory);
    this.#path = options.path ?? '/sse';
    ({ path: this.#messages, prefix: this.#prefix } = endpointParts(options.messagesPath ?? '/messages'));
    this.#guard = guard(options);
    const { allowedOrigins, cors: wantsCors = true } = options;
    this.#cors = allowedOrigins !== undefined && wantsCors ? cors({ allowedOrigins }) : undefined;
    this.#connections = new ConnectionSet(handler, () => {
      this.#isStopped = true;
    });
  }

  /** What is at the path of a target. */
  routeOf(target: string): Route {
    const [path] = target.split('?');
    return path === this.#path ? 'stream' : path === this.#messages ? 'message' : undefined;
  }

  /** Serves one request. */
  enter(exchange: HttpExchange, route: Route, options?: IncomingRequestOptions): void {
    const found = this.#guard(exchange.head, options?.caller);
    if ('then' in found) void found.then((later) => this.#serve(exchange, route, later));
    else this.#serve(exchange, route, found);
  }

  drain(options?: DrainOptions): Promise<void> {
    return this.#connections.drain(options);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #serve(exchange: HttpExchange, route: Route, found: GuardAllowed | GuardDenied): void {
    // The client disconnected while it was authenticated.
    if (exchange.isOver) return;
    exchange.extra = this.#cors?.(exchange.head);
    if ('status' in found) return reject(exchange, found);
    if (route === undefined) return complain(exchange, { status: 404, message: 'nothing is served here' });
    const { method } = exchange.head;
    if (method === 'OPTIONS') {
      return exchange.respond(204, { allow: route === 'stream' ? 'GET, OPTIONS' : 'POST, OPTIONS' });
    }
    const rejected = route === 'stream' ? checkGet(exchange) : checkPost(exchange);
    if (rejected !== undefined) return complain(exchange, rejected);
    if (found.principal === undefined) exchange.address = found.address;
    else exchange.caller = found;
    // Thousands may be opened at a time.
    if (route === 'stream') loopTurns.run(exchange.holder, () => this.#open(exchange));
    else this.#post(exchange);
  }

  /** Opens a session on a request for the stream; nothing of it is written where that fails. */
  #open(stream: HttpExchange): void {
    const { keepAliveIntervalMs = 15_000, writeTimeoutMs = 30_000 } = this.options;
    const { firstMessageTimeoutMs = 60_000 } = this.options;
    if (stream.isOver) return;
    if (this.#isStopped) return busy(stream, 'this server is stopping');
    const { holder } = stream;
    const rejection = this.#held.add(holder);
    if (rejection !== undefined) return busy(stream, rejection);
    const id = newId();
    const { maxMessageBytes } = this.#limits;
    const parts = {
      stream,
      endpoint: this.#prefix + id,
      maxMessageBytes,
      keepAliveIntervalMs,
      writeTimeoutMs,
      firstMessageTimeoutMs,
      schedule: this.schedule,
      memory: this.#memory,
      turns: this.#turns,
      drain: async () => served?.drain({ timeoutMs: runningCallsMs }),
      ended: () => {
        this.#entries.delete(id);
        this.#held.remove(holder);
      },
    };
    const own = { maxMessageBytes, redialable: false, holder };
    const principal = stream.caller?.principal;
    const traits = sseTraits(principal === undefined ? own : { ...own, principal });
    let session: Session | undefined;
    let served: ServedConnection | undefined = undefined;
    const connection = createConnection((sink) => (session = new Session(sink, parts)), traits);
    const opened = session as unknown as Session;
    this.#entries.set(id, { session: opened, principal });
    let isRejected = false;
    served = this.#connections.accept(connection, () => {
      isRejected = true;
      opened.rejected();
    });
    if (!isRejected) opened.begin();
  }

  /** Others cannot tell the session of another principal from one that is not there. */
  #post(exchange: HttpExchange): void {
    const id = sessionIdOf(exchange.head.target);
    if (id === undefined)
      return complain(exchange, { status: 400, message: 'exactly one "sessionId" is needed' });
    const entry = this.#entries.get(id);
    if (entry !== undefined && entry.principal === exchange.caller?.principal) {
      entry.session.expiry?.renew(exchange.caller);
      return exchange.read(this.#limits, entry.session);
    }
    entry?.session.foreign();
    complain(exchange, unknownSession);
  }
}

function newId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(idBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Why a request for the stream is rejected, if it is. A client that says nothing of what it accepts takes what it gets. */
function checkGet(exchange: HttpExchange): Complaint | undefined {
  if (exchange.head.method !== 'GET') return notAllowed('GET');
  const accept = exchange.header('accept')?.trim() ?? '';
  if (accept === '' || takesEvents(accept)) return undefined;
  return { status: 406, message: 'the stream is text/event-stream, which "Accept" does not name' };
}

/** Why a posted message is rejected before its body is read, if it is. */
function checkPost(exchange: HttpExchange): Complaint | undefined {
  if (exchange.head.method !== 'POST') return notAllowed('POST');
  if (!isJson(exchange.header('content-type'))) {
    return { status: 415, message: 'a message must be application/json in UTF-8' };
  }
  if (isPlain(exchange.header('content-encoding'))) return undefined;
  return { status: 415, message: 'a message must not be compressed' };
}

/** The session id in the target of a request; undefined where there is not exactly one. */
function sessionIdOf(target: string): string | undefined {
  const at = target.indexOf('?');
  if (at < 0) return undefined;
  const found = new URLSearchParams(target.slice(at)).getAll('sessionId');
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

function notAllowed(allowed: string): Complaint {
  return {
    status: 405,
    message: `only ${allowed} is served here`,
    headers: { allow: `${allowed}, OPTIONS` },
  };
}
