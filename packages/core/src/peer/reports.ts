import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { LogLevel } from '../contract/report-items.js';
import { lostLogsKey } from '../contract/report-items.js';
import type { PendingExchange } from './exchange-contract.js';
import { notification } from './writer.js';

/** Log records kept per request while its peer is slow. */
const maxHeldLogs = 64;

/**
 * The progress and logs of one request. Sends them at once while the peer keeps up. Otherwise keeps the latest
 * progress and the last records; the first record after a loss counts the lost ones.
 */
export class Reports {
  lastProgress = -Infinity;
  #heldProgress: JsonRpcMessage | undefined = undefined;
  #heldLogs: JsonRpcMessage[] = [];
  #lost = 0;
  #waiting = false;

  constructor(private readonly exchange: PendingExchange) {}

  progress(done: number, total: number | undefined, text: string | undefined): void {
    // Progress that does not increase or is not a number is invalid.
    if (!Number.isFinite(done) || done <= this.lastProgress) return;
    this.lastProgress = done;
    const params: Record<string, unknown> = {
      progressToken: this.exchange.claim.progressToken,
      progress: done,
    };
    if (total !== undefined) params.total = total;
    const { era } = this.exchange;
    if (text !== undefined && era.hasProgressText?.(this.exchange) !== false) params.message = text;
    const message = notification('notifications/progress', params);
    if (!this.#hold()) {
      this.exchange.send(message);
      return;
    }
    if (this.#heldProgress !== undefined) this.exchange.host.meter?.dropped('progress');
    this.#heldProgress = message;
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    const params: Record<string, unknown> = { level, data: data === undefined ? null : data };
    if (logger !== undefined) params.logger = logger;
    const message = notification('notifications/message', params);
    if (!this.#hold()) {
      this.exchange.send(message);
      return;
    }
    if (this.#heldLogs.length >= maxHeldLogs) {
      this.#heldLogs.shift();
      this.#lost += 1;
      this.exchange.host.meter?.dropped('logs');
    }
    this.#heldLogs.push(message);
  }

  /** Sends what is held: the peer keeps up again, or the result follows. */
  readonly flush = (): void => {
    const { exchange } = this;
    exchange.host.writer.offDrain(exchange.lane, this.flush);
    this.#waiting = false;
    const logs = this.#heldLogs;
    this.#heldLogs = [];
    for (const message of logs) {
      if (this.#lost > 0 && 'params' in message && message.params !== undefined) {
        message.params._meta = { [lostLogsKey]: this.#lost };
        this.#lost = 0;
      }
      exchange.send(message);
    }
    const progress = this.#heldProgress;
    this.#heldProgress = undefined;
    if (progress !== undefined) exchange.send(progress);
  };

  /** Drops what is held. */
  drop(): void {
    this.#heldLogs = [];
    this.#heldProgress = undefined;
  }

  #hold(): boolean {
    const { host, lane } = this.exchange;
    if (!host.writer.saturated(lane)) return false;
    if (!this.#waiting) {
      this.#waiting = true;
      host.writer.onDrain(lane, this.flush);
    }
    return true;
  }
}
