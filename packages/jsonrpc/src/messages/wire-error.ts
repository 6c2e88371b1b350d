import { INVALID_REQUEST, PARSE_ERROR } from './error-codes.js';
import type { RequestId } from './messages.js';

/** Codes of a {@link WireError}; stable, and explained in docs/reference/errors.md. */
export type WireErrorCode = 'PARSE_ERROR' | 'INVALID_MESSAGE' | 'TOO_LARGE' | 'OVERFLOW' | 'TRUNCATED';

/** Options of a {@link WireError}. */
export interface WireErrorOptions {
  /** The JSON-RPC error code with which to answer the sender. @default -32600 for INVALID_MESSAGE and TOO_LARGE, else -32700 */
  readonly rpcCode?: number;
  /** The id of the message, if it is known: the response carries it. */
  readonly id?: RequestId | undefined;
  /** The id of the request that the message responds to, if it is known. */
  readonly respondsTo?: RequestId | undefined;
  readonly cause?: unknown;
}

const brand = Symbol.for('rxmcp.error');

/** Reports something on the wire that is not a valid message. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** The JSON-RPC error code with which to answer the sender. */
  readonly rpcCode: number;
  /** The id of the message. Without it the response has no id. */
  declare readonly id?: RequestId;
  /** The id of the request that the message responds to: that request gets no other response. */
  declare readonly respondsTo?: RequestId;

  constructor(
    readonly code: WireErrorCode,
    message: string,
    options: WireErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, brand, { value: 'WireError' });
    this.rpcCode = options.rpcCode ?? defaultRpcCode(code);
    if (options.id !== undefined) this.id = options.id;
    if (options.respondsTo !== undefined) this.respondsTo = options.respondsTo;
  }

  /** Returns whether a value is a WireError, also one of another installed copy of the package. */
  static is(value: unknown): value is WireError {
    return (
      typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === 'WireError'
    );
  }
}

function defaultRpcCode(code: WireErrorCode): number {
  return code === 'INVALID_MESSAGE' || code === 'TOO_LARGE' ? INVALID_REQUEST : PARSE_ERROR;
}
