import type { MemoryBudget } from '@rxmcp/transport';
import type { HttpExchange, ParseTurns } from '@rxmcp/transport/internal';

/** What one session of a client is made of. */
export interface SessionParts {
  /** The request for its stream. */
  readonly stream: HttpExchange;
  /** Where its client posts to. */
  readonly endpoint: string;
  readonly maxMessageBytes: number;
  readonly keepAliveIntervalMs: number;
  readonly writeTimeoutMs: number;
  readonly firstMessageTimeoutMs: number;
  /** Charged for what the client does not read. */
  readonly memory: MemoryBudget;
  /** In which large messages are parsed. */
  readonly turns: ParseTurns;
  /** Calls back when all that one turn sends has been sent. */
  schedule(flush: () => void): void;
  /** Waits for the calls that run, and rejects others. */
  drain(): Promise<void>;
  /** It is over: nothing is posted to it any more. */
  ended(): void;
}
