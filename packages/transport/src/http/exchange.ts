import type { CallerIdentity } from '../credentials/caller-identity.js';
import type { RequestHead } from '../guard/host-and-origin.js';
import type { MemoryBudget } from '../memory/memory-budget.js';
import type { UnreadOutput } from '../memory/unread-output.js';

/** Headers of a response, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** One HTTP request and its response, independent of the web server. */
export interface HttpExchange {
  /** The previous and the next exchange in the list of those whose bodies are being read. */
  before: HttpExchange | undefined;
  after: HttpExchange | undefined;
  readonly head: RequestHead;
  /** Returns one header, its values joined; the name in lower case. */
  header(name: string): string | undefined;
  /** Returns the headers whose names start with `start`, each as the rest of the name and the value. */
  startingWith(start: string): readonly (readonly [name: string, value: string])[];
  /** Reads the body and passes it to `taker` once, now or later. Nothing is read before this call. */
  read(limits: BodyLimits, taker: BodyTaker): void;
  /** Rejects the body that is being read. */
  rejectBody(problem: BodyProblem): void;
  /** Responds with a whole body, or without one. */
  respond(status: number, headers: Headers, text?: string): void;
  /** Begins a response of type `text/event-stream`. */
  open(headers: Headers): void;
  /** Writes a part of the stream. Returns false when the reader lags; `owner.drained` is called once it has caught up. */
  write(text: string): boolean;
  /** How many bytes were written and are not sent yet. */
  readonly queuedBytes: number;
  /** Ends the response after everything that was written. */
  end(): void;
  /** Whether the exchange has ended, such as by a disconnect of the client. Responses have no effect then. */
  readonly isOver: boolean;
  /** Destroys the exchange and its connection. */
  cut(): void;
  /** Calls `owner.stalled` when the reader accepts nothing for `ms` milliseconds from now on; 0 stops the check. */
  stallsAfter(ms: number): void;
  /** Receives the end of the exchange and the state of its reader. */
  owner: ExchangeOwner | undefined;
  /** The caller, once it is authenticated; `undefined` for an anonymous one. */
  caller: CallerIdentity | undefined;
  /** The address of an anonymous caller, where the guard has found one. */
  address: string | undefined;
  /** The name under which its memory is charged: that of the caller, or of the address of an anonymous one. */
  readonly holder: string;
  /** The memory that its message takes, in bytes. */
  heldBytes: number;
  /** Charges for what the client has not read, once it lags. The exchange releases it at its end. */
  unread: UnreadOutput | undefined;
  /** Headers of any response. */
  extra: Headers | undefined;
  /** The tick at which reading of the body began. */
  since: number;
}

/** Receives the end of an exchange and the state of its reader. */
export interface ExchangeOwner {
  /** The exchange has ended, in order or not. Called once. */
  ended(exchange: HttpExchange): void;
  drained(exchange: HttpExchange): void;
  stalled(exchange: HttpExchange): void;
}

/** Limits of reading bodies. */
export interface BodyLimits {
  readonly maxMessageBytes: number;
  /** Charged for the bytes of bodies that have not arrived in full. */
  readonly budget: MemoryBudget;
  /** How long a body may take to arrive, in milliseconds. @default the caller limits it */
  readonly withinMs?: number;
}

/** Receives the body of an exchange. */
export interface BodyTaker {
  body(exchange: HttpExchange, text: string): void;
  /** The body cannot be read, or exceeds a limit. */
  unreadable(exchange: HttpExchange, problem: BodyProblem): void;
  /** The client has disconnected, so no response is possible. */
  disconnected(exchange: HttpExchange): void;
}

/**
 * Why a body is rejected. `no-room`: all bodies, `no-share`: those of its caller take too much memory. `broken`: it ended early, is
 * longer than declared, or was already read elsewhere. `tiny-chunks`: reading it takes much more time than its length justifies.
 */
export type BodyProblem =
  'too-large' | 'not-utf-8' | 'no-room' | 'no-share' | 'broken' | 'late' | 'tiny-chunks';
