import type { RequestId, JsonObject, JsonRpcMessage, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { METHOD_NOT_FOUND, OVERLOADED } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, SendOptions, Lane, OutgoingMessage, RejectionReason } from '@rxmcp/transport';
import { acceptedImmediately } from '@rxmcp/transport';
import { RxmcpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Ask } from '../contract/ask.js';
import { missingCapabilities, capabilityNames } from '../contract/capability-needs.js';
import type { Caller } from '../contract/context.js';
import type { LogItem, LogLevel, ProgressItem } from '../contract/report-items.js';
import { reportKind } from '../contract/report-items.js';
import type { MethodOffer, PreparedResult } from '../contract/offer.js';
import type { Measured } from '../contract/stats.js';
import { settleResult } from '../output/settle.js';
import { countAnswer } from '../stats/counting.js';
import type { Claim, ExchangeEra, ExchangeHost, PendingExchange } from './exchange-contract.js';
import { Reports } from './reports.js';
import { notification } from './writer.js';

/** One incoming request while it is served: the context of its handler and the way of its answer. */
export class Exchange implements PendingExchange {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly lane: Lane | undefined;
  /** What answers it. */
  offer: MethodOffer | undefined = undefined;
  /** True while it holds a place among the running ones. */
  admitted = false;
  /** Its claims could not be read, so that it never came to a handler. */
  unread = false;
  /** Who counts it; undefined = nobody. */
  measured: Measured | undefined = undefined;
  /** The answer to it completes an opening. */
  opens = false;
  /** What an era remembers of its asks. */
  asks: unknown = undefined;
  /** Called when the exchange ends in whatever way, with whether it was cancelled; eras tidy up here. */
  onEnd: ((isCancelled: boolean) => void) | undefined = undefined;
  private open = true;
  private suspended = false;
  private stop: (() => void) | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private gone: Error | undefined = undefined;
  private reports: Reports | undefined = undefined;

  constructor(
    readonly host: ExchangeHost,
    readonly era: ExchangeEra,
    readonly claim: Claim,
    request: JsonRpcRequest,
    readonly arrival: ReceiveInfo | undefined,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? empty;
    this.lane = arrival?.lane;
  }

  get version(): string {
    return this.claim.version;
  }

  get caller(): Caller {
    return this.claim.caller;
  }

  get meta(): JsonObject {
    return this.claim.meta;
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** True once its run was given up because the caller is asked first. */
  get isSuspended(): boolean {
    return this.suspended;
  }

  get signal(): AbortSignal {
    // Made on demand: an AbortController costs more than the rest of a call.
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.gone !== undefined) this.controller.abort(this.gone);
    }
    return this.controller.signal;
  }

  /** Runs the handler. */
  run(): void {
    const { offer } = this;
    if (!this.open || offer === undefined) return;
    try {
      const stop = settleResult(offer.handle(this.params, this), this);
      if (this.open) this.stop = stop;
      else stop();
    } catch (error) {
      if (this.open) this.failed(error);
      else this.teardownFailed(error);
    }
  }

  /** Gives the running handler up and keeps the exchange: its era answers in another way. */
  suspend(reason: Error): void {
    const stop = this.stop;
    this.stop = undefined;
    this.suspended = true;
    this.gone = reason;
    try {
      stop?.();
    } catch (cause) {
      this.teardownFailed(cause);
    }
    this.controller?.abort(reason);
  }

  /** Answers a suspended exchange. */
  resumeWith(out: OutgoingMessage): void {
    if (!this.open) return;
    this.end();
    this.answer(out);
  }

  done(value: JsonObject | PreparedResult): void {
    if (!this.open || this.suspended) return;
    let out: OutgoingMessage;
    try {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new RxmcpError('NO_RESULT', `the handler of ${quoted(this.method)} returned no result object`);
      }
      out = this.era.result(this, value);
    } catch (error) {
      this.failed(error);
      return;
    }
    this.end();
    this.answer(out);
  }

  failed(error: unknown): void {
    if (!this.open) return;
    const { out, refusal } = this.era.failure(this, error);
    this.end();
    this.answer(out, refusal);
  }

  empty(): void {
    this.failed(new RxmcpError('NO_RESULT', `the handler of ${quoted(this.method)} ended without a result`));
  }

  report(item: ProgressItem | LogItem): void {
    if (reportKind(item) === 'progress') {
      const { progress, total, message } = item as ProgressItem;
      this.progress(progress, total, message);
    } else {
      const { level, data, logger } = item as LogItem;
      this.log(level, data, logger);
    }
  }

  /** Refuses it because nobody answers its method. */
  unknownMethod(): void {
    if (!this.open) return;
    this.end();
    const error = { code: METHOD_NOT_FOUND, message: `unknown method ${quoted(this.method)}` };
    this.answer({ jsonrpc: '2.0', id: this.id, error }, 'unknown-method');
  }

  /** Refuses it because too much is going on. */
  overloaded(): void {
    if (!this.open) return;
    this.end();
    const data = { retryable: true, retryAfterMs: 1_000, executed: false };
    const error = { code: OVERLOADED, message: `${quoted(this.method)} refused: too many requests`, data };
    this.answer({ jsonrpc: '2.0', id: this.id, error }, 'overloaded');
  }

  /** Ends it without an answer: cancelled, or its connection is gone. */
  cancel(reason: Error): void {
    if (!this.open) return;
    const { stop } = this;
    this.stop = undefined;
    this.gone = reason;
    // Nothing is written after a cancel, not even what was held back for a slow peer.
    this.reports?.drop();
    this.measured?.cancelled();
    this.end(true);
    try {
      stop?.();
    } catch (cause) {
      this.teardownFailed(cause);
    }
    this.controller?.abort(reason);
  }

  teardownFailed(cause: unknown): void {
    this.host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${quoted(this.method)} threw`, cause });
  }

  progress(done: number, total?: number, message?: string): void {
    if (!this.open || this.suspended || this.claim.progressToken === undefined) return;
    (this.reports ??= new Reports(this)).progress(done, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.open || this.suspended || !this.era.wantsLog(this, level)) return;
    (this.reports ??= new Reports(this)).log(level, data, logger);
  }

  ask(key: string, ask: Ask): Promise<JsonObject> {
    if (!this.open || this.suspended) {
      return Promise.reject(
        new RxmcpError('CANCELLED', `"${ask.method}" not asked: ${quoted(this.method)} has ended`),
      );
    }
    return this.era.ask(this, key, ask);
  }

  notify(method: string, params?: JsonObject): void {
    if (this.open && !this.suspended) this.send(notification(method, params));
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    if (!this.open)
      return Promise.reject(
        new RxmcpError('CANCELLED', `${quoted(method)} not sent: ${quoted(this.method)} has ended`),
      );
    return this.era.request(this, method, params);
  }

  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.era.step(this, key, fn);
  }

  require(needs: JsonObject): void {
    const missing = missingCapabilities(needs, this.caller.capabilities);
    if (missing === undefined) return;
    throw new RxmcpError(
      'CAPABILITY_NOT_SUPPORTED',
      `${quoted(this.method)} needs a client with ${capabilityNames(missing)}`,
      { data: { requiredCapabilities: missing } },
    );
  }

  /** Sends something that belongs to this request. */
  send(message: JsonRpcMessage): void {
    void this.host.writer.send(message, this.envelope());
  }

  private envelope(refusal?: RejectionReason): SendOptions | undefined {
    const { lane, opens } = this;
    if (lane === undefined && refusal === undefined && !opens) return undefined;
    return {
      version: this.claim.version,
      ...(opens ? { completesHandshake: opens } : {}),
      ...(lane === undefined ? {} : { lane }),
      ...(refusal === undefined ? {} : { rejection: refusal }),
    };
  }

  private answer(out: OutgoingMessage, refusal?: RejectionReason): void {
    const { writer } = this.host;
    if (this.measured !== undefined) countAnswer(this.measured, out);
    const sent = writer.send(out, this.envelope(refusal), (cause) => {
      this.host.fault({
        code: cause.code,
        message: `the answer to ${quoted(this.method)} was not sent`,
        cause,
      });
      if (cause.outcome !== 'not-sent' || cause.code === 'CLOSED') return;
      // The caller must not wait for an answer that was too large to leave.
      const error = new RpcError(
        -32603,
        `the result of ${quoted(this.method)} could not be sent: ${cause.message}`,
      );
      const body = { code: error.code, message: error.message };
      void writer.send({ jsonrpc: '2.0', id: this.id, error: body }, this.envelope());
    });
    if (sent !== acceptedImmediately) void sent;
  }

  private end(isCancelled = false): void {
    this.reports?.flush();
    this.open = false;
    this.stop = undefined;
    this.host.finished(this);
    try {
      this.onEnd?.(isCancelled);
    } catch (cause) {
      this.teardownFailed(cause);
    }
  }
}

const empty: JsonObject = Object.freeze({});
