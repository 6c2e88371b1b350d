import { INTERNAL_ERROR } from '@rxmcp/jsonrpc';
import {
  type ConnectionHandler,
  type DrainOptions,
  type ServeHandle,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import {
  type CorsPolicy,
  cors,
  guard,
  type Guard,
  type GuardAllowed,
  type GuardDenied,
  type IncomingRequestOptions,
} from '@rxmcp/transport/guard';
import {
  bare,
  type BodyLimits,
  type BodyProblem,
  type BodyTaker,
  busy,
  noMemory,
  complain,
  type HttpExchange,
  isJson,
  isPlain,
  listenerMemory,
  ParseTurns,
  reject,
  takesBoth,
  takesEvents,
  rejectBody,
} from '@rxmcp/transport/internal';
import type { HttpHandlerOptions } from './options.js';
import { closingMessage, PostDispatcher, unsupportedVersionMessage } from './post-dispatcher.js';
import { isPerRequest, sessionVersions } from './revisions.js';
import { IntrusiveList } from './intrusive-list.js';
import { lost, type Session } from './connections/session.js';
import { StatelessHosts } from './connections/stateless-hosts.js';
import { Sessions } from './connections/sessions.js';
import { type EndpointContext, createEndpointContext } from './create-endpoint-context.js';
import { Sweep, ticks } from './sweep.js';
import { maintainStreams } from './streams/maintain-streams.js';

/** How long a body may take to arrive, in milliseconds. */
const bodyMs = 30_000;
const bodyTicks = ticks(bodyMs);
const late = `the body did not arrive within ${String(bodyMs / 1_000)} s`;
const closing = { connection: 'close' };
const defaultDrainMs = 25_000;
const withSessions = { allow: 'GET, POST, DELETE, OPTIONS' };
const withoutSessions = { allow: 'POST, OPTIONS' };

/** Streamable HTTP under one URL, for every revision, without a web server. */
export class Endpoint implements ServeHandle, BodyTaker {
  readonly #shared: EndpointContext;
  readonly #guard: Guard;
  readonly #cors: CorsPolicy | undefined;
  readonly #limits: BodyLimits;
  readonly #sessions: Sessions | undefined;
  readonly #stateless: StatelessHosts;
  readonly #posts: PostDispatcher;
  readonly #turns: ParseTurns;
  readonly #reading = new IntrusiveList<HttpExchange>();
  #state: 'open' | 'draining' | 'closed' = 'open';

  constructor(handler: ConnectionHandler, options: HttpHandlerOptions, defaultBufferedBytes: number) {
    const sweep = new Sweep(() => this.#pass());
    this.#shared = createEndpointContext(handler, options, sweep);
    this.#guard = guard(options);
    this.#turns = new ParseTurns(this.#shared.memory);
    const { allowedOrigins, cors: wantsCors = true, maxBufferedBytes = defaultBufferedBytes } = options;
    this.#cors = allowedOrigins !== undefined && wantsCors ? cors({ allowedOrigins }) : undefined;
    const { maxMessageBytes } = this.#shared.bounds;
    this.#limits = {
      maxMessageBytes,
      budget: listenerMemory(handler, maxBufferedBytes, maxMessageBytes),
    };
    const traits: Traits = {
      lanes: 'per-request',
      idScope: 'lane',
      serverInitiates: false,
      clientReplies: false,
      carriesHeaders: true,
      redialable: false,
      maxMessageBytes,
    };
    this.#stateless = new StatelessHosts(this.#shared, traits);
    if (options.sessions !== false) {
      const inSession: Traits = {
        ...traits,
        idScope: 'connection',
        serverInitiates: true,
        clientReplies: true,
        carriesHeaders: false,
      };
      this.#sessions = new Sessions(this.#shared, Object.freeze(inSession));
    }
    this.#posts = new PostDispatcher(this.#sessions, (exchange) => this.#stateless.of(exchange));
  }

  /** Serves one request. Its caller may be authenticated already. */
  enter(exchange: HttpExchange, options?: IncomingRequestOptions): void {
    const passed = this.#guard(exchange.head, options?.caller);
    if ('then' in passed)
      void passed.then((later) => this.#guarded(() => this.#route(exchange, later), exchange));
    else this.#guarded(() => this.#route(exchange, passed), exchange);
  }

  body(exchange: HttpExchange, text: string): void {
    this.#reading.remove(exchange);
    const take = (): void => {
      if (!exchange.isOver)
        this.#guarded(() => this.#posts.take(exchange, text, this.#state === 'open'), exchange);
    };
    if (!this.#turns.run(text, exchange.holder, take)) busy(exchange, noMemory, 1);
  }

  unreadable(exchange: HttpExchange, problem: BodyProblem): void {
    this.#reading.remove(exchange);
    const { maxMessageBytes } = this.#limits;
    const message = `the body is larger than ${String(maxMessageBytes)} bytes`;
    if (problem === 'broken') complain(exchange, { status: 400, message: 'the body cannot be read' });
    else if (problem === 'late') complain(exchange, { status: 408, message: late, headers: closing });
    else if (problem === 'not-utf-8') this.#posts.unreadable(exchange, 'the body is not valid UTF-8');
    else if (problem === 'too-large') {
      this.#posts.fault(exchange, new TransportError('TOO_LARGE', message));
      complain(exchange, { status: 413, message, headers: closing });
    } else rejectBody(exchange, problem);
  }

  disconnected(exchange: HttpExchange): void {
    this.#reading.remove(exchange);
  }

  async drain({ timeoutMs = defaultDrainMs }: DrainOptions = {}): Promise<void> {
    if (this.#state !== 'closed') {
      this.#state = 'draining';
      await Promise.allSettled([this.#stateless.drain(timeoutMs), this.#sessions?.drain(timeoutMs)]);
    }
    await this.close();
  }

  close(): Promise<void> {
    this.#state = 'closed';
    this.#sessions?.close();
    this.#stateless.close();
    this.#shared.sweep.stop();
    this.#reading.each((exchange) => exchange.cut());
    return Promise.resolve();
  }

  #route(exchange: HttpExchange, passed: GuardAllowed | GuardDenied): void {
    // Its end has been reported already, so that anything started now would never be released.
    if (exchange.isOver) return;
    if (this.#cors !== undefined) exchange.extra = this.#cors(exchange.head);
    if ('status' in passed) return reject(exchange, passed);
    if (passed.principal === undefined) exchange.address = passed.address;
    else exchange.caller = passed;
    if (this.#state === 'closed') return busy(exchange, closingMessage);
    const { method } = exchange.head;
    if (method === 'POST') this.#post(exchange);
    else if (method === 'OPTIONS') exchange.respond(204, bare);
    else if ((method === 'GET' || method === 'DELETE') && this.#sessions !== undefined)
      this.#inSession(exchange, method);
    else this.#notAllowed(exchange);
  }

  #post(exchange: HttpExchange): void {
    if (!isPlain(exchange.header('content-encoding'))) {
      return complain(exchange, { status: 415, message: 'send the body without a Content-Encoding' });
    }
    if (!isJson(exchange.header('content-type'))) {
      return complain(exchange, { status: 415, message: 'the body must be application/json in UTF-8' });
    }
    if (!takesBoth(exchange.header('accept'))) {
      const message = 'the client must accept application/json and text/event-stream';
      return complain(exchange, { status: 406, message });
    }
    const { sweep } = this.#shared;
    sweep.wake();
    exchange.since = sweep.tick;
    this.#reading.add(exchange);
    exchange.read(this.#limits, this);
  }

  #inSession(exchange: HttpExchange, method: 'GET' | 'DELETE'): void {
    const version = exchange.header('mcp-protocol-version');
    if (version !== undefined && isPerRequest(version)) return this.#notAllowed(exchange, withoutSessions);
    if (version !== undefined && !sessionVersions.includes(version))
      return complain(exchange, unsupportedVersionMessage);
    const events = method === 'GET';
    if (events && !takesEvents(exchange.header('accept'))) {
      return complain(exchange, { status: 406, message: 'the client must accept text/event-stream' });
    }
    const found = this.#posts.sessionOf(exchange);
    if (found === 'none')
      return complain(exchange, { status: 400, message: 'the Mcp-Session-Id header is missing' });
    if (found === undefined) return complain(exchange, lost);
    if (events) found.listen(exchange, exchange.header('last-event-id'));
    else this.#end(found, exchange);
  }

  #end(session: Session, exchange: HttpExchange): void {
    session.connection.end();
    exchange.respond(200, bare);
  }

  #notAllowed(
    exchange: HttpExchange,
    headers = this.#sessions === undefined ? withoutSessions : withSessions,
  ): void {
    const message = `method ${exchange.head.method} is not allowed; allowed: ${headers.allow}`;
    complain(exchange, { status: 405, message, headers });
  }

  /** Runs work of one request, whose failure must not affect other requests. */
  #guarded(work: () => void, exchange: HttpExchange): void {
    try {
      work();
    } catch (cause) {
      this.#posts.fault(exchange, new TransportError('SEND_FAILED', 'serving a request threw', { cause }));
      try {
        complain(exchange, { status: 500, code: INTERNAL_ERROR, message: 'internal error' });
      } catch {
        exchange.cut();
      }
    }
  }

  /** Handles everything whose time has come. Returns the number of ticks until something else can be due, 0 if nothing waits. */
  #pass(): number {
    const { sweep, waiting, streams, bounds } = this.#shared;
    const { tick } = sweep;
    while (this.#reading.first !== undefined && tick - this.#reading.first.since >= bodyTicks) {
      const { first } = this.#reading;
      this.#reading.remove(first);
      first.rejectBody('late');
    }
    while (waiting.first !== undefined && tick - waiting.first.since >= bounds.streamAfterTicks) {
      const late = waiting.first;
      late.commit();
      // What cannot become a stream waits on without being looked at again.
      waiting.remove(late);
    }
    const due = Math.min(
      maintainStreams(streams, tick, bounds.keepAliveTicks),
      this.#sessions?.sweep() ?? Infinity,
      this.#stateless.sweep(),
    );
    if (this.#reading.first !== undefined || waiting.first !== undefined) return 1;
    return due === Infinity ? 0 : due;
  }
}
