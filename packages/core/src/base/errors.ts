import { isReservedErrorCode } from '@rxmcp/jsonrpc/internal';
import type { ErrorObject, JsonObject } from '@rxmcp/jsonrpc';
import type { Outcome } from '@rxmcp/transport';
import { brandError, errorKind } from './brand.js';
import { isObject } from './checks.js';

/**
 * A JSON-RPC error: the response of the peer, or the response that a handler sends by throwing it. `code` is the
 * JSON-RPC number.
 * @throws TypeError for a code that is neither an integer outside -32768 to -32000 nor one of -32700, -32600 to -32603 and -32002.
 * rxmcp uses -31099 to -31000: choose yours outside of both ranges
 * @see Spec 2025-11-25 basic#responses
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  readonly outcome: Outcome = 'answered';
  readonly retryable: boolean;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    brandError(this, 'RpcError');
    if (!Number.isInteger(code) || (isReservedErrorCode(code) && !standard.has(code))) {
      throw new TypeError(
        `RpcError code ${String(code)} must be an integer outside -32768..-32000, which JSON-RPC reserves`,
      );
    }
    this.code = code;
    this.data = data;
    this.retryable = (data as { retryable?: unknown } | undefined)?.retryable === true;
  }

  /**
   * Returns the pages that the user must visit before the call can succeed. Undefined for every error but -32042,
   * which only revision 2025-11-25 has.
   * @see Spec 2025-11-25 client/elicitation#url-elicitation-required-error
   */
  get elicitations(): readonly RequiredUrlElicitation[] | undefined {
    return this.code === URL_ELICITATION_REQUIRED ? readUrlElicitations(this.data) : undefined;
  }

  /** Creates the error of a response. Accepts any code. */
  static fromResponse(body: ErrorObject): RpcError {
    const error = new RpcError(0, body.message, body.data);
    (error as { code: number }).code = body.code;
    return error;
  }

  /** Whether a value is an RpcError of any installed copy of the library. */
  static is(value: unknown): value is RpcError {
    return errorKind(value) === 'RpcError';
  }
}

/** Creates the error for a result that does not have the form of its method. */
export function invalidResult(method: string, what: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `the result of "${method}" ${what}`, { outcome: 'answered' });
}

/** Creates the error for a result that exceeds the memory budget together with what else the server makes this side keep. */
export function noMemory(method: string, outcome: 'answered' | 'not-sent' = 'answered'): RxmcpError {
  const message = `no memory is left for the result of "${method}". Make fewer calls at a time, or give the process a larger heap`;
  return new RxmcpError('OVERFLOW', message, { outcome });
}

const standard = new Set([-32700, -32600, -32601, -32602, -32603, -32002]);

/** Lists the codes of {@link RxmcpError}. They are stable. `docs/reference/errors.md` has their causes and remedies. */
export type RxmcpErrorCode =
  | 'TIMEOUT' // No progress and no result within `idleTimeoutMs`, or no result within `totalTimeoutMs`.
  | 'CANCELLED' // The caller, the peer or a signal cancelled the call.
  | 'CLOSED' // The remote is closed.
  | 'CAPABILITY_NOT_SUPPORTED' // The peer did not declare the capability that the call needs.
  | 'INVALID_RESULT' // The result is not a valid result of its method.
  | 'PROTOCOL_ERROR' // The response broke the protocol.
  | 'NO_COMMON_VERSION' // The two sides share no protocol revision.
  | 'TOO_MANY_CALLS' // The limit of calls in flight, or of an interceptor, is reached.
  | 'NOT_APPROVED' // The user did not approve the call.
  | 'TOO_MANY_ROUNDS' // The server asked for input more often than one call allows.
  | 'ASK_UNAVAILABLE' // The client cannot answer this ask.
  | 'ASK_SUSPENDED' // This run of the handler ends here. The handler runs again when the answer is there.
  | 'ASK_REJECTED' // The user or the model declined to answer.
  | 'INVALID_ANSWER' // The client answered an ask with something that is not a valid answer.
  | 'STATE_TOO_LARGE' // The encrypted `requestState` of an ask exceeds `maxRequestStateBytes`.
  | 'NO_RESULT' // A handler or an interceptor ended without a result.
  | 'HANDLER_FAILED' // A handler threw an error that must not reach the caller.
  | 'RESOURCE_NOT_FOUND' // There is no such resource.
  | 'RESOURCE_TIMEOUT' // The Observable of a resource emitted no value in time.
  | 'OFFER_TIMEOUT' // A live offer emitted no list in time.
  | 'INVALID_ARGUMENTS' // The arguments do not match the schema of the tool.
  | 'INVALID_PARAMS' // The parameters are malformed.
  | 'OVERFLOW'; // A bounded buffer is full.

/** Configures an {@link RxmcpError}. */
export interface RxmcpErrorOptions {
  readonly cause?: unknown;
  /**
   * Whether the request was not sent, may have run, or was answered. @default `'answered'` for ASK_REJECTED and
   * INVALID_ANSWER, else `'not-sent'`
   */
  readonly outcome?: Outcome;
  readonly retryable?: boolean;
  readonly data?: JsonObject | undefined;
}

// Both say that the client did respond to the ask.
const answers: ReadonlySet<RxmcpErrorCode> = new Set<RxmcpErrorCode>(['ASK_REJECTED', 'INVALID_ANSWER']);

/**
 * A failure that this side found, such as a timeout, a missing capability or an invalid result. The code says
 * which; `outcome` says whether the request may have run.
 */
export class RxmcpError extends Error {
  override readonly name = 'RxmcpError';
  readonly code: RxmcpErrorCode;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly data: JsonObject | undefined;

  constructor(code: RxmcpErrorCode, message: string, options: RxmcpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'RxmcpError');
    if (typeof code !== 'string')
      throw new TypeError(`RxmcpError codes are words, not ${String(code)}: use new RpcError(code, message)`);
    this.code = code;
    this.outcome = options.outcome ?? (answers.has(code) ? 'answered' : 'not-sent');
    this.retryable = options.retryable ?? false;
    this.data = options.data;
  }

  /** Whether a value is an RxmcpError of any installed copy of the library, and has the given code if one is given. */
  static is(value: unknown, code?: RxmcpErrorCode): value is RxmcpError {
    return errorKind(value) === 'RxmcpError' && (code === undefined || (value as RxmcpError).code === code);
  }
}

/**
 * A page that the user must visit before the server can serve a request: an entry of {@link RpcError.elicitations}.
 * @see Schema 2025-11-25 ElicitRequestURLParams
 */
export interface RequiredUrlElicitation {
  /** Identifies the visit. The server names it when the visit is over. */
  readonly elicitationId: string;
  /** Must not be fetched in advance. Open it only after the user has seen the whole URL and agreed. */
  readonly url: string;
  /** Says why the visit is needed. */
  readonly message: string;
}

/** The code of an error that names pages to visit; only revision 2025-11-25 has it. */
export const URL_ELICITATION_REQUIRED = -32042;

const maxPages = 64;

/** Reads the pages that the data of an error names. Ignores entries that are not pages. */
function readUrlElicitations(data: unknown): readonly RequiredUrlElicitation[] {
  const named: unknown = isObject(data) ? data.elicitations : undefined;
  return Array.isArray(named) ? named.slice(0, maxPages).filter(isPage) : [];
}

function isPage(value: unknown): value is RequiredUrlElicitation {
  if (!isObject(value) || value.mode !== 'url') return false;
  const { elicitationId, url, message } = value;
  return [elicitationId, url, message].every((member) => typeof member === 'string');
}
