import type { RequestId, JsonObject, JsonRpcMessage, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, SendOptions, Lane, OutgoingMessage, RejectionReason } from '@rxmcp/transport';
import type { AsyncScope } from '@rxmcp/transport/internal';
import { noMembers } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Ask } from '../contract/ask.js';
import { missingCapabilities, capabilityNames } from '../contract/capability-needs.js';
import type { Caller } from '../contract/context.js';
import { reportKind, type LogItem, type LogLevel, type ProgressItem } from '../contract/report-items.js';
import type { MethodOffer, PreparedResult } from '../contract/offer.js';
import type { Measured } from '../contract/stats.js';
import { settleResult } from '../output/settle.js';
import { countResponse } from '../stats/counting.js';
import type { Claim, ExchangeEra, ExchangeHost, PendingExchange } from './exchange-contract.js';
import { releaseAfter, releaseRequest } from './memory.js';
import { responseUnsent, overloaded, unknownMethod } from './rejected-request.js';
import { Reports } from './reports.js';
import { notification } from './writer.js';

/** One request being served: the context of its handler and the way of its response. */
export class Exchange implements PendingExchange {
  readonly id: RequestId;
  readonly method: string;
  params: JsonObject;
  readonly lane: Lane | undefined;
  /** The offer that handles the method. */
  offer: MethodOffer | undefined = undefined;
  /** True while it counts as a running request. */
  admitted = false;
  /** The async context in which it was received, if it had to wait. */
  scope: AsyncScope | undefined = undefined;
  /** True if the claims of the request could not be read, so that no handler runs. */
  unread = false;
  /** Counts this request; undefined without `stats`. */
  measured: Measured | undefined = undefined;
  opens = false;
  asks: unknown = undefined;
  onEnd: ((isCancelled: boolean) => void) | undefined = undefined;
  reports: Reports | undefined = undefined;
  firstNotification: JsonRpcMessage | undefined = undefined;
  /** The memory that is charged for this request, in bytes. */
  heldBytes = 0;
  #open = true;
  #suspended = false;
  #stop: (() => void) | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #endReason: Error | undefined = undefined;

  constructor(
    readonly host: ExchangeHost,
    readonly era: ExchangeEra,
    public claim: Claim,
    request: JsonRpcRequest,
    readonly receiveInfo: ReceiveInfo | undefined,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? noMembers;
    this.lane = receiveInfo?.lane;
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

  get logLevel(): LogLevel | undefined {
    return this.claim.logLevel;
  }

  get round(): number {
    return this.era.round?.(this) ?? 1;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** True once its run was suspended because the caller must answer an ask first. */
  get isSuspended(): boolean {
    return this.#suspended;
  }

  get signal(): AbortSignal {
    // Created on demand: an AbortController costs more than the rest of a call.
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#endReason !== undefined) this.#controller.abort(this.#endReason);
    }
    return this.#controller.signal;
  }

  /** Runs the handler. */
  run(): void {
    const { offer } = this;
    if (!this.#open || offer === undefined) return;
    try {
      const stop = settleResult(offer.handle(this.params, this), this);
      if (this.#open) this.#stop = stop;
      else stop();
    } catch (error) {
      if (this.#open) this.failed(error);
      else this.teardownFailed(error);
    }
  }

  /** Stops the running handler without a response. The era responds later with `resumeWith`. */
  suspend(reason: Error): void {
    const stop = this.#stop;
    this.#stop = undefined;
    this.#suspended = true;
    this.#endReason = reason;
    try {
      stop?.();
    } catch (cause) {
      this.teardownFailed(cause);
    }
    this.#controller?.abort(reason);
  }

  /** Responds to a suspended exchange. */
  resumeWith(out: OutgoingMessage): void {
    if (this.#open) this.#endWith(out);
  }

  done(value: JsonObject | PreparedResult): void {
    const { turns } = this.host;
    // Without lanes the back-pressure of its pipe holds a caller back.
    if (turns === undefined || this.lane === undefined) this.succeed(value);
    else turns.respond(this, value);
  }

  /** Responds now. Does nothing if the request was cancelled or suspended meanwhile. */
  succeed(value: JsonObject | PreparedResult): void {
    if (!this.#open || this.#suspended) return;
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
    this.#endWith(out);
  }

  failed(error: unknown): void {
    if (!this.#open) return;
    const { out, rejection } = this.era.failure(this, error);
    this.#endWith(out, rejection);
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

  /** Rejects the request because there is no handler for its method. */
  unknownMethod(): void {
    if (this.#open) this.#endWith(unknownMethod(this.id, this.method), 'unknown-method');
  }

  /** Rejects the request because a limit is reached. */
  overloaded(reason = 'too many requests'): void {
    if (this.#open) this.#endWith(overloaded(this.id, this.method, reason), 'overloaded');
  }

  /** Ends it without a response: it was cancelled, or its connection closed. */
  cancel(reason: Error): void {
    if (!this.#open) return;
    const stop = this.#stop;
    this.#stop = undefined;
    this.#endReason = reason;
    // Nothing is sent after a cancellation, not even what waited for a slow peer.
    this.reports?.drop();
    this.measured?.cancelled();
    this.#end(true);
    try {
      stop?.();
    } catch (cause) {
      this.teardownFailed(cause);
    }
    releaseRequest(this);
    this.#controller?.abort(reason);
  }

  /** The handler continues after a cancellation until a promise settles, and with it what it was given. */
  continues(until: PromiseLike<unknown>): void {
    if (this.#open) return;
    releaseAfter(this, until);
  }

  teardownFailed(cause: unknown): void {
    this.host.fault({ code: 'HANDLER_FAILED', message: `tearing down ${quoted(this.method)} threw`, cause });
  }

  progress(done: number, total?: number, message?: string): void {
    if (!this.#open || this.#suspended || this.claim.progressToken === undefined) return;
    (this.reports ??= new Reports(this)).progress(done, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.#open || this.#suspended || this.era.wantsLog?.(this, level) !== true) return;
    (this.reports ??= new Reports(this)).log(level, data, logger);
  }

  ask(key: string, ask: Ask): Promise<JsonObject> {
    if (!this.#open || this.#suspended) return this.#ended(`"${ask.method}" not asked`);
    return this.era.ask(this, key, ask);
  }

  notify(method: string, params?: JsonObject): void {
    if (!this.#open || this.#suspended) return;
    const message = notification(method, params);
    this.firstNotification ??= message;
    this.send(message);
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    if (!this.#open) return this.#ended(`${quoted(method)} not sent`);
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

  /** Sends a message on the lane of this request. */
  send(message: JsonRpcMessage): void {
    void this.host.writer.send(message, this.#sendOptions());
  }

  #sendOptions(rejection?: RejectionReason): SendOptions | undefined {
    const { lane, opens } = this;
    if (lane === undefined && rejection === undefined && !opens) return undefined;
    return {
      version: this.claim.version,
      ...(opens ? { completesHandshake: opens } : {}),
      ...(lane === undefined ? {} : { lane }),
      ...(rejection === undefined ? {} : { rejection }),
    };
  }

  #endWith(out: OutgoingMessage, rejection?: RejectionReason): void {
    this.#end();
    const { writer } = this.host;
    if (this.measured !== undefined) countResponse(this.measured, out);
    void writer.send(out, this.#sendOptions(rejection), (cause) => {
      responseUnsent(this, cause, this.#sendOptions());
    });
  }

  #ended(what: string): Promise<never> {
    return Promise.reject(new RxmcpError('CANCELLED', `${what}: ${quoted(this.method)} has ended`));
  }

  #end(isCancelled = false): void {
    this.reports?.flush();
    this.#open = false;
    this.#stop = undefined;
    this.host.finished(this);
    try {
      this.onEnd?.(isCancelled);
    } catch (cause) {
      this.teardownFailed(cause);
    }
    // A cancelled handler may continue.
    if (!isCancelled) releaseRequest(this);
  }
}
