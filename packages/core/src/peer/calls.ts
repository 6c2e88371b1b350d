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
import type { CallOwner } from '../contract/call-owner.js';
import { IdTable } from './id-table.js';
import type { DeadlinePauses, PausesMaker } from './deadline-pauses.js';
import type { CallHandler, PendingCall } from './pending-call.js';

export type { CallHandler, PendingCall } from './pending-call.js';

/** How long a call may take, in milliseconds. Infinity means no limit. */
export interface CallTimeouts {
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** What the table needs of its owner. */
export interface CallsHost {
  readonly perRequestLanes: boolean;
  readonly maxInFlight: number;
  /** Sends the request. Calls `failed` if it could not be sent. */
  send(
    message: JsonRpcMessage,
    sendOptions: SendOptions | undefined,
    failed: (error: TransportError) => void,
  ): void;
  /** Called when a deadline has passed, to cancel the call at the peer. */
  expired(call: PendingCall): void;
  /** The handler of a call threw when the call ended. */
  teardownFailed(call: PendingCall, cause: unknown): void;
}

/** The outgoing calls of one connection. Finds a call by id in constant time. */
export class Calls {
  readonly #pending = new IdTable<PendingCall>();
  #nextId = 1;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #alarmAt = Infinity;
  /** The number of calls with a deadline. While there is one, the process stays alive. */
  #due = 0;
  /** Set while asks of the peer are handled. Most connections never need it. */
  #pauses: DeadlinePauses | undefined;
  /** The number of calls allowed in flight; below zero once the connection is closed. */
  #most: number;

  constructor(private readonly host: CallsHost) {
    this.#most = host.maxInFlight;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** The calls in flight. */
  values(): Iterable<PendingCall> {
    return this.#pending.values();
  }

  /** Sends a request. `build` receives the new id and returns the parameters. */
  start(
    method: string,
    build: (id: number) => JsonObject | undefined,
    timeouts: CallTimeouts,
    handler: CallHandler,
    sendOptions?: SendOptions,
    owner?: CallOwner,
  ): PendingCall {
    const id = this.#nextId++;
    const at = now();
    const lane = sendOptions?.lane ?? (this.host.perRequestLanes ? {} : undefined);
    const call: PendingCall = {
      id,
      method,
      lane,
      handler,
      idleMs: timeouts.idleTimeoutMs,
      owner,
      idleAt: at + timeouts.idleTimeoutMs,
      totalAt: at + timeouts.totalTimeoutMs,
      holds: 0,
      heldSince: 0,
      lastProgress: -Infinity,
      sent: true,
      isDue: false,
    };
    if (this.#pending.size >= this.#most) {
      call.sent = false;
      const error = this.#limitError(method);
      queueMicrotask(() => handler.failed(error));
      return call;
    }
    this.#pending.add(call);
    this.#pauses?.joined(call, at);
    const due = Math.min(call.idleAt, call.totalAt);
    this.#arm(due);
    call.isDue = due < Infinity;
    if (call.isDue && this.#due++ === 0) this.#hold(true);
    const params = build(id);
    const message: JsonRpcMessage =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    this.host.send(
      message,
      lane === undefined ? sendOptions : { ...sendOptions, lane, holder: owner?.holder },
      (error) => {
        if (!this.drop(call)) return;
        call.sent = error.outcome !== 'not-sent';
        handler.failed(error);
      },
    );
    return call;
  }

  /** Handles a response. Returns false if no call waits for it. */
  settle(message: JsonRpcResultResponse | JsonRpcErrorResponse): boolean {
    const call = this.#pending.get(message.id as RequestId);
    if (call === undefined) return false;
    this.#remove(call);
    if ('result' in message) call.handler.result(message.result);
    else call.handler.failed(RpcError.fromResponse(message.error));
    return true;
  }

  /** Fails a call whose response is malformed. Returns false if no call has that id. */
  malformed(id: RequestId, why: string): boolean {
    const call = this.#pending.get(id);
    if (call === undefined) return false;
    this.#remove(call);
    call.handler.failed(
      new RxmcpError('PROTOCOL_ERROR', `the response to "${call.method}" ${why}`, { outcome: 'unknown' }),
    );
    return true;
  }

  /** Whether this side used an id before: its response may arrive late. */
  hasUsed(id: unknown): boolean {
    return typeof id === 'number' && id > 0 && id < this.#nextId;
  }

  /**
   * Handles progress, which restarts the idle timeout. Reports it if it increased. Returns false if no call has
   * that token.
   */
  progress(params: JsonObject): boolean {
    const call = this.#pending.get(params.progressToken as RequestId);
    if (call === undefined) return false;
    // An acknowledged subscription has no deadline. While the deadline is paused, the idle time counts from the
    // start of the pause.
    if (call.idleAt !== Infinity) call.idleAt = (call.holds > 0 ? call.heldSince : now()) + call.idleMs;
    const value = params.progress;
    if (typeof value === 'number' && Number.isFinite(value) && value > call.lastProgress) {
      call.lastProgress = value;
      call.handler.progress?.(params);
    }
    return true;
  }

  /** Removes the deadlines of a call, such as those of an acknowledged subscription. */
  unlimited(call: PendingCall): void {
    call.idleAt = Infinity;
    call.totalAt = Infinity;
    this.#noLongerDue(call);
  }

  /** Removes a call without calling its handler. Returns false if it had ended before. */
  drop(call: PendingCall): boolean {
    return this.#pending.get(call.id) === call && this.#remove(call);
  }

  /**
   * Pauses the deadline of the call on this lane while this side handles an ask of the peer; without a lane, all
   * deadlines. Pauses for at most 10 minutes, and one call for about an hour in all. Returns a function that resumes them.
   *
   * @param make - creates the {@link DeadlinePauses} of this table; sides that handle no asks do not bundle it
   */
  pause(make: PausesMaker, lane?: Lane): () => void {
    this.#pauses ??= make(
      () => this.#pending.values(),
      () => this.#sweep(),
    );
    const go = this.#pauses.begin(lane);
    if (this.#due > 0) this.#pauses.hold(true);
    return go;
  }

  /** Fails the call on a lane that was closed. */
  laneClosed(lane: Lane, error: Error): void {
    for (const call of this.#pending.values()) {
      if (call.lane !== lane) continue;
      this.#remove(call);
      this.#fail(call, error);
    }
  }

  /** Fails all calls and accepts no more. */
  failAll(error: Error | ((call: PendingCall) => Error)): void {
    this.#most = -1;
    this.#disarm();
    this.#pauses?.clear();
    const calls = this.#pending.all();
    this.#pending.clear();
    for (const call of calls) this.#noLongerDue(call);
    for (const call of calls) this.#fail(call, typeof error === 'function' ? error(call) : error);
  }

  // Each handler is called, even if an earlier one throws.
  #fail(call: PendingCall, error: Error): void {
    try {
      call.handler.failed(error);
    } catch (cause) {
      this.host.teardownFailed(call, cause);
    }
  }

  #limitError(method: string): Error {
    const most = this.#most;
    if (most < 0)
      return new TransportError('CLOSED', `"${method}" not sent: the connection is closed`, {
        outcome: 'not-sent',
      });
    const message = `"${method}" not sent: "maxCallsInFlight" is ${most}`;
    return new RxmcpError('TOO_MANY_CALLS', message, { retryable: true });
  }

  #remove(call: PendingCall): boolean {
    this.#noLongerDue(call);
    return this.#pending.delete(call);
  }

  // The timer stays for the next call, but no longer keeps the process alive.
  #noLongerDue(call: PendingCall): void {
    if (!call.isDue) return;
    call.isDue = false;
    if (--this.#due === 0) this.#hold(false);
  }

  // While all deadlines are paused, the timer of the pause keeps the process alive.
  #hold(isHeld: boolean): void {
    setTimerRef(this.#alarm, isHeld);
    this.#pauses?.hold(isHeld);
  }

  #arm(at: number): void {
    if (at >= this.#alarmAt) return;
    clearTimeout(this.#alarm);
    this.#alarmAt = at;
    // One timer for all calls, which is restarted only for an earlier deadline.
    this.#alarm = timer(() => this.#sweep(), Math.max(0, Math.ceil(at - now())));
    if (this.#due > 0) setTimerRef(this.#alarm, true);
  }

  #disarm(): void {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    this.#alarmAt = Infinity;
  }

  #sweep(): void {
    this.#disarm();
    const at = now();
    let next = Infinity;
    for (const call of this.#pending.values()) {
      if (call.holds > 0) continue;
      const due = Math.min(call.idleAt, call.totalAt);
      if (due > at) next = Math.min(next, due);
      else this.#expire(call, at);
    }
    if (next !== Infinity) this.#arm(next);
  }

  #expire(call: PendingCall, at: number): void {
    this.#remove(call);
    const why =
      call.totalAt <= at
        ? 'exceeded "totalTimeoutMs"'
        : `sent no response or progress for ${call.idleMs} ms ("idleTimeoutMs")`;
    this.host.expired(call);
    this.#fail(
      call,
      new RxmcpError('TIMEOUT', `"${call.method}" ${why}`, { outcome: 'unknown', retryable: true }),
    );
  }
}
