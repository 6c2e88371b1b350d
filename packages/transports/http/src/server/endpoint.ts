import {
  type Acceptor,
  type DrainOptions,
  type ServeHandle,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import {
  bare,
  type BodyLimits,
  type BodyProblem,
  type BodyTaker,
  Budget,
  busy,
  complain,
  type Cors,
  cors,
  guard,
  type Guard,
  type HttpExchange,
  isJson,
  isPlain,
  type Passed,
  refuse,
  type Refused,
  takesBoth,
  takesEvents,
} from '@rxmcp/transport/guard';
import type { HttpServeOptions } from './options.js';
import { notSpoken, Posts } from './posts.js';
import { isPerRequest, sessionVersions } from './revisions.js';
import { Ring } from './ring.js';
import { lost, type Session } from './session.js';
import { Sessionless } from './sessionless.js';
import { Sessions } from './sessions.js';
import { type Shared, sharedOf } from './settle-options.js';
import { Sweep } from './sweep.js';
import { tend } from './tend.js';

/** How long a body may take, in ticks. */
const bodyTicks = 30;
const defaultDrainMs = 25_000;
const withSessions = { allow: 'GET, POST, DELETE, OPTIONS' };
const withoutSessions = { allow: 'POST, OPTIONS' };

/** Streamable HTTP under one URL, for every revision, without a web server. */
export class Endpoint implements ServeHandle, BodyTaker {
  private readonly shared: Shared;
  private readonly guard: Guard;
  private readonly cors: Cors | undefined;
  private readonly limits: BodyLimits;
  private readonly sessions: Sessions | undefined;
  private readonly posts: Posts;
  private readonly traits: Traits;
  private readonly reading = new Ring<HttpExchange>();
  private alone: Sessionless | undefined = undefined;
  private state: 'open' | 'draining' | 'closed' = 'open';

  constructor(acceptor: Acceptor, options: HttpServeOptions, defaultBufferedBytes: number) {
    const sweep = new Sweep(() => this.pass());
    this.shared = sharedOf(acceptor, options, sweep);
    this.guard = guard(options);
    const { origins, cors: wantsCors = true, maxBufferedBytes = defaultBufferedBytes } = options;
    this.cors = origins !== undefined && wantsCors ? cors({ origins }) : undefined;
    const { maxMessageBytes } = this.shared.bounds;
    const budget = new Budget(Math.max(maxBufferedBytes, maxMessageBytes));
    this.limits = { maxMessageBytes, budget, untilAnswered: true };
    this.traits = {
      lanes: 'per-request',
      idScope: 'lane',
      push: false,
      replies: false,
      mirrors: true,
      redialable: false,
      maxMessageBytes,
    };
    if (options.sessions !== false) {
      const traits: Traits = {
        ...this.traits,
        idScope: 'connection',
        push: true,
        replies: true,
        mirrors: false,
      };
      this.sessions = new Sessions(this.shared, Object.freeze(traits));
    }
    this.posts = new Posts(this.sessions, () => this.sessionless());
  }

  /** Serves one request. */
  enter(exchange: HttpExchange): void {
    const passed = this.guard(exchange.head);
    if ('then' in passed)
      void passed.then((later) => this.guarded(() => this.route(exchange, later), exchange));
    else this.guarded(() => this.route(exchange, passed), exchange);
  }

  body(exchange: HttpExchange, text: string): void {
    this.reading.remove(exchange);
    this.guarded(() => this.posts.take(exchange, text, this.state === 'open'), exchange);
  }

  unreadable(exchange: HttpExchange, problem: BodyProblem): void {
    this.reading.remove(exchange);
    const { maxMessageBytes } = this.limits;
    const message = `the body is larger than ${String(maxMessageBytes)} bytes`;
    if (problem === 'no-room') busy(exchange, 'too many bodies are being read', 1);
    else if (problem === 'broken') complain(exchange, { status: 400, message: 'the body cannot be read' });
    else if (problem === 'not-utf-8') this.posts.unreadable(exchange, 'the body is not valid UTF-8');
    else {
      this.posts.fault(new TransportError('TOO_LARGE', message));
      complain(exchange, { status: 413, message, headers: { connection: 'close' } });
    }
  }

  abandoned(exchange: HttpExchange): void {
    this.reading.remove(exchange);
  }

  async drain({ withinMs = defaultDrainMs }: DrainOptions = {}): Promise<void> {
    if (this.state !== 'closed') {
      this.state = 'draining';
      await Promise.allSettled([this.alone?.served.drain({ withinMs }), this.sessions?.drain(withinMs)]);
    }
    await this.close();
  }

  close(): Promise<void> {
    this.state = 'closed';
    this.sessions?.close();
    this.alone?.connection.end();
    this.shared.sweep.stop();
    this.reading.each((exchange) => exchange.cut());
    return Promise.resolve();
  }

  private route(exchange: HttpExchange, passed: Passed | Refused): void {
    // Its end has been told already, so that nobody would ever let go of what is begun for it.
    if (exchange.isOver) return;
    if (this.cors !== undefined) exchange.extra = this.cors(exchange.head);
    if ('status' in passed) return refuse(exchange, passed);
    exchange.principal = passed.principal;
    if (this.state === 'closed') return busy(exchange, 'the server is closing');
    const { method } = exchange.head;
    if (method === 'POST') this.post(exchange);
    else if (method === 'OPTIONS') exchange.answer(204, bare);
    else if ((method === 'GET' || method === 'DELETE') && this.sessions !== undefined)
      this.inSession(exchange, method);
    else this.notAllowed(exchange);
  }

  private post(exchange: HttpExchange): void {
    if (!isPlain(exchange.header('content-encoding'))) {
      return complain(exchange, { status: 415, message: 'encoded bodies are not taken' });
    }
    if (!isJson(exchange.header('content-type'))) {
      return complain(exchange, { status: 415, message: 'the body must be application/json in UTF-8' });
    }
    if (!takesBoth(exchange.header('accept'))) {
      const message = 'the client must accept application/json and text/event-stream';
      return complain(exchange, { status: 406, message });
    }
    const { sweep } = this.shared;
    sweep.wake();
    exchange.since = sweep.tick;
    this.reading.add(exchange);
    exchange.read(this.limits, this);
  }

  private inSession(exchange: HttpExchange, method: 'GET' | 'DELETE'): void {
    const version = exchange.header('mcp-protocol-version');
    if (version !== undefined && isPerRequest(version)) return this.notAllowed(exchange);
    if (version !== undefined && !sessionVersions.includes(version)) return complain(exchange, notSpoken);
    const events = method === 'GET';
    if (events && !takesEvents(exchange.header('accept'))) {
      return complain(exchange, { status: 406, message: 'the client must accept text/event-stream' });
    }
    const found = this.posts.sessionOf(exchange);
    if (found === 'none')
      return complain(exchange, { status: 400, message: 'a Mcp-Session-Id header is needed' });
    if (found === undefined) return complain(exchange, lost);
    if (events) found.listen(exchange, exchange.header('last-event-id'));
    else this.end(found, exchange);
  }

  private end(session: Session, exchange: HttpExchange): void {
    session.connection.end();
    exchange.answer(200, bare);
  }

  private notAllowed(exchange: HttpExchange): void {
    const headers = this.sessions === undefined ? withoutSessions : withSessions;
    complain(exchange, { status: 405, message: 'this method is not served here', headers });
  }

  private sessionless(): Sessionless | undefined {
    if (this.alone === undefined && this.state === 'open') {
      const alone = new Sessionless(this.shared, this.traits, () => {
        this.alone = undefined;
      });
      // The acceptor may have closed it at once.
      if (!alone.connection.isClosed) this.alone = alone;
    }
    return this.alone;
  }

  /** Nothing that goes wrong in one request may touch another. */
  private guarded(work: () => void, exchange: HttpExchange): void {
    try {
      work();
    } catch (cause) {
      this.posts.fault(new TransportError('SEND_FAILED', 'Serving a request threw.', { cause }));
      try {
        complain(exchange, { status: 500, code: -32603, message: 'internal error' });
      } catch {
        exchange.cut();
      }
    }
  }

  /** One look at everything that waits; gives in how many ticks the next can be due, 0 when nothing waits. */
  private pass(): number {
    const { sweep, waiting, streams, bounds } = this.shared;
    const { tick } = sweep;
    while (this.reading.first !== undefined && tick - this.reading.first.since >= bodyTicks) {
      const late = this.reading.first;
      this.reading.remove(late);
      late.cut();
    }
    while (waiting.first !== undefined && tick - waiting.first.since >= bounds.commitTicks) {
      const late = waiting.first;
      late.commit();
      // What cannot become a stream waits on without being looked at again.
      waiting.remove(late);
    }
    const due = Math.min(tend(streams, tick, bounds.keepAliveTicks), this.sessions?.sweep() ?? Infinity);
    if (this.reading.first !== undefined || waiting.first !== undefined) return 1;
    return due === Infinity ? 0 : due;
  }
}
