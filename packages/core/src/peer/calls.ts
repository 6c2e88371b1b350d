import type {
  JsonRpcErrorResponse,
  RequestId,
  JsonObject,
  JsonRpcMessage,
  JsonRpcResultResponse,
} from '@rxmcp/jsonrpc';
import type { SendOptions, Lane } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { setTimerRef, now, timer } from '../base/clock.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { IdTable } from './id-table.js';
import type { DeadlinePauses, PausesMaker, PausableCall } from './deadline-pauses.js';

/** Where the events of one outgoing call go. `result` or `failed` comes exactly once, unless the call is dropped. */
export interface CallHandler {
  result(result: JsonObject): void;
  failed(error: Error): void;
  /** Progress of this call; its parameters as they came. */
  progress?(params: JsonObject): void;
  /** Nobody waits for it any more. */
  dropped?(): void;
}

/** One call in flight. */
export interface PendingCall extends PausableCall {
  readonly id: number;
  readonly method: string;
  readonly handler: CallHandler;
  readonly idleMs: number;
  lastProgress: number;
  sent: boolean;
  /** It has a deadline, for which the process stays alive. */
  isDue: boolean;
}

/** How long a call may take, in milliseconds; Infinity = no limit. */
export interface CallTimeouts {
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** What the table needs of its owner. */
export interface CallsHost {
  readonly perRequestLanes: boolean;
  readonly maxInFlight: number;
  /** Sends the request; `failed` when it did not leave. */
  send(
    message: JsonRpcMessage,
    envelope: SendOptions | undefined,
    failed: (error: TransportError) => void,
  ): void;
  /** The deadline passed: tell the peer. */
  expired(call: PendingCall): void;
  /** What heard of the end of a call threw. */
  teardownFailed(call: PendingCall, cause: unknown): void;
}

/** The outgoing calls of one connection, found by id in constant time however many there are. */
export class Calls {
  private readonly pending = new IdTable<PendingCall>();
  private nextId = 1;
  private alarm: ReturnType<typeof setTimeout> | undefined;
  private alarmAt = Infinity;
  /** How many have a deadline: as long as there is one the process stays alive, since somebody waits for it. */
  private due = 0;
  /** While asks of the peer are answered here; most connections never see one. */
  private pauses: DeadlinePauses | undefined = undefined;
  /** How many may be in flight; below zero once the connection is gone. */
  private most: number;

  constructor(private readonly host: CallsHost) {
    this.most = host.maxInFlight;
  }

  get size(): number {
    return this.pending.size;
  }

  /** The id that the next call will have; its progress token too. */
  get upcoming(): number {
    return this.nextId;
  }

  /** Sends a request. `build` gets the new id and returns the parameters. */
  start(
    method: string,
    build: (id: number) => JsonObject | undefined,
    patience: CallTimeouts,
    handler: CallHandler,
    envelope?: SendOptions,
  ): PendingCall {
    const id = this.nextId++;
    const at = now();
    const lane = envelope?.lane ?? (this.host.perRequestLanes ? {} : undefined);
    const call: PendingCall = {
      id,
      method,
      lane,
      handler,
      idleMs: patience.idleTimeoutMs,
      idleAt: at + patience.idleTimeoutMs,
      totalAt: at + patience.totalTimeoutMs,
      holds: 0,
      heldSince: 0,
      lastProgress: -Infinity,
      sent: true,
      isDue: false,
    };
    if (this.pending.size >= this.most) {
      call.sent = false;
      const error = this.refusal(method);
      queueMicrotask(() => handler.failed(error));
      return call;
    }
    this.pending.add(call);
    this.pauses?.joined(call, at);
    this.arm(Math.min(call.idleAt, call.totalAt));
    call.isDue = patience.idleTimeoutMs < Infinity || patience.totalTimeoutMs < Infinity;
    if (call.isDue && this.due++ === 0) this.hold(true);
    const params = build(id);
    const message: JsonRpcMessage =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    this.host.send(message, lane === undefined ? envelope : { ...envelope, lane }, (error) => {
      if (!this.drop(call)) return;
      call.sent = error.outcome !== 'not-sent';
      handler.failed(error);
    });
    return call;
  }

  /** Takes an answer. False when no call waits for it. */
  answer(message: JsonRpcResultResponse | JsonRpcErrorResponse): boolean {
    const call = this.pending.get(message.id as RequestId);
    if (call === undefined) return false;
    this.remove(call);
    if ('result' in message) call.handler.result(message.result);
    else call.handler.failed(RpcError.fromResponse(message.error));
    return true;
  }

  /** The peer answered a call with something that is no answer. False when no call has that id. */
  garbled(id: RequestId, why: string): boolean {
    const call = this.pending.get(id);
    if (call === undefined) return false;
    this.remove(call);
    call.handler.failed(
      new RxmcpError('PROTOCOL_ERROR', `the answer to "${call.method}" ${why}`, { outcome: 'unknown' }),
    );
    return true;
  }

  /** True for an id that this side once gave: its answer may come late. */
  gave(id: unknown): boolean {
    return typeof id === 'number' && id > 0 && id < this.nextId;
  }

  /** Takes progress: a sign of life, handed over when it grows. False when no call has that token. */
  progress(params: JsonObject): boolean {
    const call = this.pending.get(params.progressToken as RequestId);
    if (call === undefined) return false;
    // A listen that was acknowledged has no deadline, whatever comes for it.
    // While its clock stands, what lives on lives from the moment at which that stopped.
    if (call.idleAt !== Infinity) call.idleAt = (call.holds > 0 ? call.heldSince : now()) + call.idleMs;
    const value = params.progress;
    if (typeof value === 'number' && Number.isFinite(value) && value > call.lastProgress) {
      call.lastProgress = value;
      call.handler.progress?.(params);
    }
    return true;
  }

  /** From now on only its end counts: a listen after its acknowledgement. */
  unlimited(call: PendingCall): void {
    call.idleAt = Infinity;
    call.totalAt = Infinity;
    this.noLongerDue(call);
  }

  /** Takes a call out without telling its handler. False when it had ended already. */
  drop(call: PendingCall): boolean {
    return this.pending.get(call.id) === call && this.remove(call);
  }

  /**
   * Stops the clock of the call on this lane while an ask of the peer is being answered here, every clock where an ask has
   * no lane; for 10 minutes at most. Returns what ends it: the clocks go on where they stood.
   *
   * @param make - makes the {@link DeadlinePauses} of this table; those who answer nothing do not bundle it
   */
  pause(make: PausesMaker, lane?: Lane): () => void {
    this.pauses ??= make(
      () => this.pending.values(),
      () => this.sweep(),
    );
    const go = this.pauses.begin(lane);
    if (this.due > 0) this.pauses.hold(true);
    return go;
  }

  /** The lane of a call ended: without an answer the call ends too. */
  laneClosed(lane: Lane, error: Error): void {
    for (const call of this.pending.values()) {
      if (call.lane !== lane) continue;
      this.remove(call);
      this.fail(call, error);
    }
  }

  /** Ends all calls, and takes no more: the connection is gone. */
  failAll(error: Error | ((call: PendingCall) => Error)): void {
    this.most = -1;
    clearTimeout(this.alarm);
    this.alarm = undefined;
    this.alarmAt = Infinity;
    this.pauses?.clear();
    const calls = this.pending.all();
    this.pending.clear();
    for (const call of calls) this.noLongerDue(call);
    for (const call of calls) this.fail(call, typeof error === 'function' ? error(call) : error);
  }

  // Of many that end together each hears of it, whatever becomes of the one before.
  private fail(call: PendingCall, error: Error): void {
    try {
      call.handler.failed(error);
    } catch (cause) {
      this.host.teardownFailed(call, cause);
    }
  }

  private refusal(method: string): Error {
    const { most } = this;
    if (most < 0)
      return new TransportError('CLOSED', `"${method}" not sent: the connection is closed`, {
        outcome: 'not-sent',
      });
    const message = `"${method}" not sent: ${most} calls are in flight`;
    return new RxmcpError('TOO_MANY_CALLS', message, { retryable: true });
  }

  private remove(call: PendingCall): boolean {
    this.noLongerDue(call);
    return this.pending.delete(call);
  }

  // The alarm stays, for the next call; it is the process that may go.
  private noLongerDue(call: PendingCall): void {
    if (!call.isDue) return;
    call.isDue = false;
    if (--this.due === 0) this.hold(false);
  }

  // While the clocks of all stand it is a question that holds the process.
  private hold(isHeld: boolean): void {
    setTimerRef(this.alarm, isHeld);
    this.pauses?.hold(isHeld);
  }

  private arm(at: number): void {
    if (at >= this.alarmAt) return;
    clearTimeout(this.alarm);
    this.alarmAt = at;
    // One timer for the whole table: it is set again only for an earlier deadline, not per call.
    this.alarm = timer(() => this.sweep(), Math.max(0, Math.ceil(at - now())));
    if (this.due > 0) setTimerRef(this.alarm, true);
  }

  private sweep(): void {
    clearTimeout(this.alarm);
    this.alarm = undefined;
    this.alarmAt = Infinity;
    const at = now();
    let next = Infinity;
    for (const call of this.pending.values()) {
      if (call.holds > 0) continue;
      const due = Math.min(call.idleAt, call.totalAt);
      if (due > at) next = Math.min(next, due);
      else this.expire(call, at);
    }
    if (next !== Infinity) this.arm(next);
  }

  private expire(call: PendingCall, at: number): void {
    this.remove(call);
    const why =
      call.totalAt <= at
        ? 'did not finish within its total time'
        : `sent no response or progress for ${call.idleMs} ms`;
    this.host.expired(call);
    this.fail(
      call,
      new RxmcpError('TIMEOUT', `"${call.method}" ${why}`, { outcome: 'unknown', retryable: true }),
    );
  }
}
