import type { RequestHead } from '../guard/host-and-origin.js';
import type { ByteBudget } from '../guard/chunk-buffer.js';

/** Headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** One HTTP request and its response: all that the core of a server knows of a web server. */
export interface HttpExchange {
  /** Its neighbours in the list of requests whose bodies are being read. */
  before: HttpExchange | undefined;
  after: HttpExchange | undefined;
  readonly head: RequestHead;
  /** One header, its values joined; the name in lower case. */
  header(name: string): string | undefined;
  /** The headers whose names start so, as name without that start and value. */
  startingWith(start: string): readonly (readonly [name: string, value: string])[];
  /** Reads the body and hands it over once, now or later. Nothing is read before. */
  read(limits: BodyLimits, taker: BodyTaker): void;
  /** Answers with a whole body, or with none. */
  answer(status: number, headers: Headers, text?: string): void;
  /** Begins an answer of type `text/event-stream`. */
  open(headers: Headers): void;
  /** Writes a piece of it. False when the reader lags; `owner.drained` is called once it has caught up. */
  write(text: string): boolean;
  /** What was written and not taken yet, in bytes. */
  readonly queuedBytes: number;
  /** Ends the answer after what was written. */
  end(): void;
  /** The other side has left: whatever is answered, nobody hears it. */
  readonly isOver: boolean;
  /** Gives the exchange up with its connection. */
  cut(): void;
  /** Calls `owner.stalled` when the reader takes nothing for so long from now on; 0 stops looking. */
  stallsAfter(ms: number): void;
  /** Who hears of what becomes of it. */
  owner: ExchangeOwner | undefined;
  /** Who calls, once it is known. */
  principal: string | undefined;
  /** Headers that go with whatever is answered. */
  extra: Headers | undefined;
  /** The tick at which its body began to be read. */
  since: number;
}

/** Hears of the end of an exchange and of how its reader keeps up. */
export interface ExchangeOwner {
  /** The exchange is over, in order or not. Called once. */
  left(exchange: HttpExchange): void;
  drained(exchange: HttpExchange): void;
  stalled(exchange: HttpExchange): void;
}

/** What bounds the reading of bodies. */
export interface BodyLimits {
  readonly maxMessageBytes: number;
  readonly budget: ByteBudget;
  /** Whether a body counts against the budget until it is answered, and not only until it is read. */
  readonly untilAnswered: boolean;
  /** How long a body may take to arrive, in milliseconds. @default the taker limits that */
  readonly withinMs?: number;
}

/** Takes the body of an exchange. */
export interface BodyTaker {
  body(exchange: HttpExchange, text: string): void;
  /** It cannot be had. */
  unreadable(exchange: HttpExchange, problem: BodyProblem): void;
  /** The other side is gone, there is nobody to answer. */
  abandoned(exchange: HttpExchange): void;
}

/** Why a body is not taken; `broken` is one that ended in the middle, or that another has read already. */
export type BodyProblem = 'too-large' | 'not-utf-8' | 'no-room' | 'broken' | 'late';
