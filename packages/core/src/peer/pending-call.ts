import type { JsonObject } from '@rxmcp/jsonrpc';
import type { PausableCall } from './deadline-pauses.js';

/** Receives the events of one outgoing call. `result` or `failed` is called exactly once, unless the call is dropped. */
export interface CallHandler {
  result(result: JsonObject): void;
  failed(error: Error): void;
  /** Receives the parameters of a progress notification. */
  progress?(params: JsonObject): void;
  /** The call was cancelled on this side. */
  dropped?(): void;
}

/** One call in flight. */
export interface PendingCall extends PausableCall {
  readonly id: number;
  readonly method: string;
  readonly handler: CallHandler;
  readonly idleMs: number;
  /** What an ask of the peer during this call is relayed to. */
  readonly owner: object | undefined;
  lastProgress: number;
  sent: boolean;
  /** Whether it has a deadline, for which the process stays alive. */
  isDue: boolean;
}
