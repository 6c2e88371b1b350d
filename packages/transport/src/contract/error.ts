import type { ErrorObject, RequestId, WireError } from '@rxmcp/jsonrpc';

/** States how far a request got before it failed: it was not sent, may have run (unknown), or was answered. */
export type Outcome = 'not-sent' | 'unknown' | 'answered';

/** Codes of a {@link TransportError}; stable, and explained in docs/reference/errors.md. */
export type TransportErrorCode =
  | 'CLOSED' // The connection was used after its end, or this side closed it.
  | 'PEER_CLOSED' // The other side ended the connection in order.
  | 'CONNECTION_LOST' // The connection was cut, or the other side crashed or became unreachable.
  | 'DIAL_FAILED' // No connection was possible.
  | 'DIAL_ABORTED' // The signal of the dial was aborted.
  | 'SESSION_EXPIRED' // The server no longer knows the session.
  | 'REJECTED' // The other side rejected this one message below the protocol, such as with an HTTP status.
  | 'UNAUTHORIZED' // The other side requires credentials, or does not serve this caller.
  | 'SEND_FAILED' // One message could not be written. The connection stays open.
  | 'TOO_LARGE' // A message is larger than the limit.
  | 'OVERFLOW' // A message does not end, or a buffer is full.
  | 'TRUNCATED' // The input ended inside a message.
  | 'UNEXPECTED_OUTPUT' // Output that is not a message was skipped.
  | 'PARSE_ERROR' // A message is not JSON, or not valid UTF-8.
  | 'INVALID_MESSAGE' // The JSON is not a valid message.
  | 'STALLED'; // The other side does not read.

/** Options of a {@link TransportError}. */
export interface TransportErrorOptions {
  readonly cause?: unknown;
  /** How far the message got. @default 'not-sent' for `DIAL_FAILED` and `DIAL_ABORTED`, otherwise 'unknown' */
  readonly outcome?: Outcome;
  /** Whether another attempt may succeed. @default false */
  readonly retryable?: boolean;
  readonly reply?: FaultReply;
  /** Further details, such as exit code, signal and the last lines of stderr. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The error response that the server side sends for a message that it cannot read. */
export interface FaultReply {
  readonly id?: RequestId;
  readonly error: ErrorObject;
}

/** Without a connection no message was sent. `CLOSED` is missing here: a send may have been under way. */
const beforeAny: ReadonlySet<TransportErrorCode> = new Set<TransportErrorCode>([
  'DIAL_FAILED',
  'DIAL_ABORTED',
]);

const brand = Symbol.for('rxmcp.error');

/** Reports a failure below the protocol: in dialling, sending or framing, or of the connection itself. */
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

  /** Returns whether a value is a TransportError, also one of another installed copy of the package. */
  static is(value: unknown): value is TransportError {
    return (
      typeof value === 'object' &&
      value !== null &&
      (value as Record<symbol, unknown>)[brand] === 'TransportError'
    );
  }

  /** Returns a TransportError unchanged, and wraps any other thrown value. */
  static from(value: unknown, code: TransportErrorCode, options: TransportErrorOptions = {}): TransportError {
    if (TransportError.is(value)) return value;
    const message = value instanceof Error ? value.message : String(value);
    return new TransportError(code, message, { cause: value, ...options });
  }
}

/** Creates the error of a send of which nothing was written: its outcome is `not-sent`. */
export function notSentError(code: TransportErrorCode, message: string, cause?: unknown): TransportError {
  return new TransportError(code, message, { cause, outcome: 'not-sent' });
}

/** Creates the fault of an invalid message, with the error response for the sender, or the id of the request it responds to. */
export function wireErrorToFault(error: WireError): TransportError {
  const body = { code: error.rpcCode, message: error.message };
  const reply: FaultReply = error.id === undefined ? { error: body } : { id: error.id, error: body };
  // The peer of the core package ends the call that waits for it.
  const details = error.respondsTo === undefined ? {} : { details: { respondsTo: error.respondsTo } };
  return new TransportError(error.code, error.message, { cause: error, reply, ...details });
}
