import type { ErrorObject, RequestId, WireError } from '@rxmcp/jsonrpc';

/** How far a request had come when it failed: never left, may have been executed, or was answered. */
export type Outcome = 'not-sent' | 'unknown' | 'answered';

/** Codes of {@link TransportError}; stable, one heading each in the package's README. */
export type TransportErrorCode =
  | 'CLOSED' // used after close, or closed by us
  | 'PEER_CLOSED' // the other side ended the connection in order
  | 'CONNECTION_LOST' // cut, crashed, half-open
  | 'DIAL_FAILED' // could not connect
  | 'DIAL_ABORTED' // the dial's signal fired
  | 'SESSION_EXPIRED' // the server forgot the session
  | 'REJECTED' // the other side's carrier refused this one message
  | 'UNAUTHORIZED' // the other side's carrier wants to know who calls, or does not serve that one
  | 'SEND_FAILED' // one message could not be written, the connection lives
  | 'TOO_LARGE' // a message over the limit
  | 'OVERFLOW' // an endless message or a full buffer
  | 'TRUNCATED' // the input ended inside a message
  | 'UNEXPECTED_OUTPUT' // something that is no message, skipped
  | 'PARSE_ERROR' // a message that is no JSON, or not valid UTF-8
  | 'INVALID_MESSAGE' // JSON that is no acceptable message
  | 'STALLED'; // the peer does not read

/** Options of a {@link TransportError}. */
export interface TransportErrorOptions {
  readonly cause?: unknown;
  /** How far a message had come. @default 'not-sent' for `DIAL_FAILED` and `DIAL_ABORTED`, otherwise 'unknown' */
  readonly outcome?: Outcome;
  /** Whether another try may do better. @default false */
  readonly retryable?: boolean;
  readonly reply?: FaultReply;
  /** Further facts, such as exit code, signal and the last lines of stderr. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What the serving side should answer to something unreadable. */
export interface FaultReply {
  readonly id?: RequestId;
  readonly error: ErrorObject;
}

/** Without a connection no message has left. A send that was under way may be `CLOSED`, so that one is not sure. */
const beforeAny: ReadonlySet<TransportErrorCode> = new Set<TransportErrorCode>([
  'DIAL_FAILED',
  'DIAL_ABORTED',
]);

const brand = Symbol.for('rxmcp.error');

/** A failure below the protocol: dialling, sending, framing, the carrier itself. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly reply: FaultReply | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    readonly code: TransportErrorCode,
    message: string,
    options: TransportErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, brand, { value: 'TransportError' });
    this.outcome = options.outcome ?? (beforeAny.has(code) ? 'not-sent' : 'unknown');
    this.retryable = options.retryable ?? false;
    this.reply = options.reply;
    this.details = options.details;
  }

  /** Recognises a TransportError of any installed copy by its brand. */
  static is(value: unknown): value is TransportError {
    return (
      typeof value === 'object' &&
      value !== null &&
      (value as Record<symbol, unknown>)[brand] === 'TransportError'
    );
  }

  /** Wraps anything thrown; a TransportError passes unchanged. */
  static from(value: unknown, code: TransportErrorCode, options: TransportErrorOptions = {}): TransportError {
    if (TransportError.is(value)) return value;
    const message = value instanceof Error ? value.message : String(value);
    return new TransportError(code, message, { cause: value, ...options });
  }
}

/** The failure of a send that certainly left nothing on the wire. */
export function notSentError(code: TransportErrorCode, message: string, cause?: unknown): TransportError {
  return new TransportError(code, message, { cause, outcome: 'not-sent' });
}

/** The fault of something unreadable, with the answer that the serving side owes for it, or whom it should have answered. */
export function wireErrorToFault(error: WireError): TransportError {
  const body = { code: error.rpcCode, message: error.message };
  const reply: FaultReply = error.id === undefined ? { error: body } : { id: error.id, error: body };
  // The peer of the core package ends the call that waits for it.
  const details = error.respondsTo === undefined ? {} : { details: { respondsTo: error.respondsTo } };
  return new TransportError(error.code, error.message, { cause: error, reply, ...details });
}
