import type { JsonObject } from '@rxmcp/jsonrpc';
import { processMemory } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { refTimer, now } from '../../base/clock.js';
import { noMemory, RxmcpError } from '../../base/errors.js';
import { memoryOf } from '../../base/json-size.js';
import { withMeta } from '../../base/request-meta.js';
import type { Ask } from '../../contract/ask.js';
import { ownerOf } from '../../contract/call-owner.js';
import { tearDown } from '../../contract/faults.js';
import type { LogLevel } from '../../contract/report-items.js';
import type { HeaderParam } from '../../contract/offer.js';
import type { CallOptions, LogRecord } from '../../contract/remote.js';
import type { ParsedResult, SessionEra } from '../../eras/dialled.js';
import type { CallHandler, CallTimeouts, PendingCall } from '../../peer/calls.js';
import type { Running } from '../../streams/call.js';
import { unanswered } from '../asks/answers.js';
import { Attempt, countedHandler } from './attempt.js';
import type { RunSink } from './interception.js';
import type { RemoteCore } from '../remote-core.js';
import type { Session } from '../sessions/session.js';

/** Describes a call, without its handler. */
export interface RunSpec {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly options?: CallOptions | undefined;
  /** The server capability that the call needs. */
  readonly capability?: string | undefined;
  /** Returns the parameters that are also sent as headers. */
  readonly headerParams?: (() => readonly HeaderParam[] | undefined) | undefined;
}

const maxRounds = 10;

/** One call: a request and, if the server asks, the rounds of answering and repeating it. */
export class CallRun implements Running, CallHandler {
  #over = false;
  #session: Session | undefined;
  #call: PendingCall | undefined;
  /** The request of this round, if there are interceptors around it. */
  #attempt: Attempt | undefined;
  /** How often the server has asked. */
  rounds = 0;
  #sentAt = 0;
  #spentMs = 0;
  /** Its place among the calls that receive log records. */
  index = -1;
  #extra: JsonObject | undefined;
  /** Charged for the state of the server, which every request after an ask repeats. */
  #held: HeldBytes | undefined;
  #withdraw: (() => void) | undefined;

  constructor(
    private readonly remote: RemoteCore,
    private readonly spec: RunSpec,
    private readonly sink: RunSink,
  ) {
    this.#start();
  }

  /** The level of the log records that are for this call only. */
  get logLevel(): LogLevel | undefined {
    return this.spec.options?.logLevel;
  }

  get lane(): object | undefined {
    return (this.#attempt?.call ?? this.#call)?.lane;
  }

  log(record: LogRecord): void {
    if (this.#attempt === undefined) this.sink.log?.(record);
    else this.#attempt.log(record);
  }

  cancel(): void {
    if (this.#over) return;
    this.#leave();
    const session = this.#session;
    const call = this.#call;
    if (this.#attempt !== undefined) this.#attempt.cancel();
    else if (session !== undefined && call !== undefined) cancelCall(session, call);
  }

  progress(params: JsonObject): void {
    this.sink.progress?.(params);
  }

  result(result: JsonObject): void {
    const session = this.#session;
    if (this.#over || session?.era === undefined) return;
    let reading: ParsedResult;
    try {
      reading = session.era.readResult(this.spec.method, result);
    } catch (error) {
      this.failed(error);
      return;
    }
    if (reading.kind === 'asks') this.#answerAll(session, reading);
    else {
      this.#leave();
      try {
        this.sink.result(reading.result);
      } catch (error) {
        // A validator or decoder that throws fails the call.
        this.sink.failed(error);
      }
    }
  }

  #begin(session: Session): void {
    if (this.#over) return;
    if (this.#session !== session) this.#session?.logging.delete(this);
    this.#session = session;
    this.#withdraw = undefined;
    const { capability, method, params } = this.spec;
    const wrong = wrongArgument(method, params);
    if (wrong !== undefined) {
      queueMicrotask(() => this.failed(new RxmcpError('INVALID_PARAMS', wrong)));
      return;
    }
    if (capability !== undefined && session.greeting?.capabilities[capability] === undefined) {
      const message = `"${method}" not sent: the server did not declare "${capability}"`;
      queueMicrotask(() => this.failed(new RxmcpError('CAPABILITY_NOT_SUPPORTED', message)));
      return;
    }
    if (this.sink.log !== undefined) session.logging.add(this);
    this.#send(session);
  }

  #send(session: Session): void {
    if (session.era === undefined) return;
    this.#sentAt = now();
    const { attemptInterceptors } = session.definition;
    const { method, options } = this.spec;
    const params = this.#given(this.spec.params);
    if (attemptInterceptors === undefined) this.#call = this.#request(session, params, options?.meta, this);
    else {
      this.#attempt = new Attempt(attemptInterceptors, this.remote, {
        method,
        params: options?.meta === undefined ? params : withMeta(params, options.meta),
        to: this,
        logged: (record) => this.sink.log?.(record),
        send: (given, handler) => this.#request(session, given, undefined, handler),
        cancelCall: (call) => cancelCall(session, call),
      });
    }
  }

  #request(
    session: Session,
    params: JsonObject | undefined,
    meta: JsonObject | undefined,
    handler: CallHandler,
  ): PendingCall {
    const { method, options, headerParams } = this.spec;
    const { meter } = this.remote;
    const era = session.era as SessionEra;
    return session.peer.calls.start(
      method,
      (id) => era.outgoing(session, method, params, { id, meta, options }),
      this.#timeouts(session),
      meter === undefined ? handler : countedHandler(meter, method, params, handler),
      era.requestOptions(session, method, params, headerParams?.()),
      ownerOf(options),
    );
  }

  #given(params: JsonObject | undefined): JsonObject | undefined {
    return this.#extra === undefined ? params : { ...params, ...this.#extra };
  }

  // Answers every ask, then sends the request with a new id, the answers and the state of this round only.
  #answerAll(session: Session, reading: Extract<ParsedResult, { kind: 'asks' }>): void {
    const { method, options } = this.spec;
    this.#call = undefined;
    this.#attempt = undefined;
    this.#spentMs += now() - this.#sentAt;
    if (++this.rounds > maxRounds) {
      const message = `"${method}" asked for input more than ${maxRounds} times`;
      this.failed(new RxmcpError('TOO_MANY_ROUNDS', message, { outcome: 'answered' }));
      return;
    }
    this.#held ??= new HeldBytes(processMemory(), session.holder);
    if (!this.#held.resize(memoryOf(reading.state?.length ?? 0))) return this.failed(noMemory(method));
    this.remote.asking.add(this);
    const again = (inputResponses: JsonObject | undefined): void => {
      this.#withdraw = undefined;
      this.remote.asking.delete(this);
      this.#extra = {
        ...(inputResponses === undefined ? {} : { inputResponses }),
        ...(reading.state === undefined ? {} : { requestState: reading.state }),
      };
      if (!session.peer.isOver) this.#send(session);
      else this.#start();
    };
    if (reading.asks.size === 0) {
      // A server under load asks to retry: the pause doubles each time.
      const pause = refTimer(() => again(undefined), 50 * 2 ** this.rounds);
      this.#withdraw = () => clearTimeout(pause);
      return;
    }
    const from = {
      method,
      version: session.version,
      server: session.server,
      holder: session.holder,
      callOwners: () => [ownerOf(options)],
      isOpen: () => !this.#over,
      fault: session.fault.bind(session),
    };
    const { answers, methods } = session.definition;
    let settled = false;
    const done = (given: JsonObject | Error): void => {
      settled = true;
      if (this.#over) return;
      if (given instanceof Error) this.failed(given);
      else again(given);
    };
    const withdraw = answers?.questions(reading.asks, methods, from, done) ?? rejectFirst(reading.asks, done);
    if (this.#over) withdraw();
    else if (!settled) this.#withdraw = withdraw;
  }

  // Begins on the open connection, or on the next one. If a connection was lost while the user answered, the state
  // is valid on the next.
  #start(): void {
    const { ready } = this.remote;
    if (ready !== undefined) return this.#begin(ready);
    this.#withdraw = this.remote.whenOpen((opened) => {
      if (opened instanceof Error) this.failed(opened);
      else this.#begin(opened);
    });
  }

  #leave(): void {
    this.#over = true;
    this.#withdraw?.();
    this.remote.asking.delete(this);
    this.#session?.logging.delete(this);
    this.#held?.resize(0);
  }

  failed(error: unknown): void {
    if (this.#over) return;
    this.#leave();
    const { method } = this.spec;
    // Other callers may be notified of the same end after this one.
    tearDown(() => this.sink.failed(error), `"${method}"`, this.remote);
  }

  // The total time covers all rounds. The time that answering takes does not count.
  #timeouts(session: Session): CallTimeouts {
    const standard = session.definition.timeouts;
    const { idleTimeoutMs = standard.idleTimeoutMs, totalTimeoutMs = standard.totalTimeoutMs } =
      this.spec.options ?? {};
    return { idleTimeoutMs, totalTimeoutMs: Math.max(0, totalTimeoutMs - this.#spentMs) };
  }
}

// Without an offer that handles asks, the first ask is rejected like any other.
function rejectFirst(asks: ReadonlyMap<string, Ask>, done: (error: Error) => void): () => void {
  let open = true;
  const [first] = asks.values();
  queueMicrotask(() => open && done(unanswered(first as Ask)));
  return () => (open = false);
}

function cancelCall(session: Session, call: PendingCall): void {
  if (!session.peer.calls.drop(call)) return;
  call.handler.dropped?.();
  session.era?.cancel(session, call, 'no longer needed');
}

// Plain JavaScript may pass anything. The error is emitted by the stream, like all errors.
function wrongArgument(method: unknown, params: unknown): string | undefined {
  if (typeof method !== 'string' || method === '')
    return `a method must be a name, not ${String(typeof method)}`;
  if (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params)))
    return undefined;
  return `the parameters of "${method}" must be an object`;
}
