import { INVALID_REQUEST, PARSE_ERROR } from './error-codes.js';
import type { RequestId } from './messages.js';

/** Codes of {@link WireError}; stable, one heading each in the README. */
export type WireErrorCode = 'PARSE_ERROR' | 'INVALID_MESSAGE' | 'TOO_LARGE' | 'OVERFLOW' | 'TRUNCATED';

/** Options of a {@link WireError}. */
export interface WireErrorOptions {
  /** What to answer the sender with. @default -32600 for INVALID_MESSAGE and TOO_LARGE, else -32700 */
  readonly rpcCode?: number;
  /** The id to answer to, when it could be read. */
  readonly id?: RequestId | undefined;
  /** The id of the request that it was meant to answer, when that could be read. */
  readonly respondsTo?: RequestId | undefined;
  readonly cause?: unknown;
}

const brand = Symbol.for('rxmcp.error');

/** Something on the wire that is no acceptable message. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** The JSON-RPC error code to answer the sender with. */
  readonly rpcCode: number;
  /** The id to answer to; where it is missing, the answer carries none. */
  declare readonly id?: RequestId;
  /** It was an answer to this id: whoever waits for that waits in vain. */
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

  /** Recognises a WireError of any installed copy by its brand. */
  static is(value: unknown): value is WireError {
    return (
      typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === 'WireError'
    );
  }
}

function defaultRpcCode(code: WireErrorCode): number {
  return code === 'INVALID_MESSAGE' || code === 'TOO_LARGE' ? INVALID_REQUEST : PARSE_ERROR;
}
