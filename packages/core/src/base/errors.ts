import { isReservedErrorCode } from '@rxmcp/jsonrpc/internal';
import type { ErrorObject, JsonObject } from '@rxmcp/jsonrpc';
import type { Outcome } from '@rxmcp/transport';
import { brandError, errorKind } from './brand.js';
import { isObject } from './checks.js';

/**
 * A JSON-RPC error: what the peer answered, or what a handler wants to answer. The `code` is the JSON-RPC number.
 * Application codes lie outside -32768..-32000; a reserved one is refused with a TypeError unless it is a standard one.
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
      throw new TypeError(`error code ${code} is reserved: application codes lie outside -32768..-32000`);
    }
    this.code = code;
    this.data = data;
    this.retryable = (data as { retryable?: unknown } | undefined)?.retryable === true;
  }

  /**
   * The pages that a server of 2025-11-25 wants a person to visit before the same call can succeed (code -32042); undefined
   * for every other error. Spec 2025-11-25 client/elicitation#url-elicitation-required-error.
   */
  get elicitations(): readonly UrlElicitation[] | undefined {
    return this.code === URL_ELICITATION_REQUIRED ? readUrlElicitations(this.data) : undefined;
  }

  /** An error as the peer sent it: any code is taken. */
  static fromResponse(body: ErrorObject): RpcError {
    const error = new RpcError(0, body.message, body.data);
    (error as { code: number }).code = body.code;
    return error;
  }

  /** Recognises an RpcError of any installed copy. */
  static is(value: unknown): value is RpcError {
    return errorKind(value) === 'RpcError';
  }
}

/** The error for a result that breaks the protocol or a promise of the peer. */
export function invalidResult(method: string, what: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `the result of "${method}" ${what}`, { outcome: 'answered' });
}

const standard = new Set([-32700, -32600, -32601, -32602, -32603, -32002]);

/** Codes of {@link RxmcpError}; stable, one heading each in the package's README. */
export type RxmcpErrorCode =
  | 'TIMEOUT' // no sign of life within timeoutMs, or not finished within totalTimeoutMs
  | 'CANCELLED' // the other side cancelled, or a signal did
  | 'CLOSED' // the remote is closed
  | 'CAPABILITY_NOT_SUPPORTED' // the peer did not declare what the call needs
  | 'INVALID_RESULT' // the peer answered something that is no valid result
  | 'PROTOCOL_ERROR' // the peer broke the protocol in answering this call
  | 'NO_COMMON_VERSION' // nothing both sides speak
  | 'TOO_MANY_CALLS' // the limit of calls in flight
  | 'NOT_APPROVED' // the person who was asked did not approve the call
  | 'TOO_MANY_ROUNDS' // the peer keeps asking
  | 'ASK_UNAVAILABLE' // nobody can answer this ask
  | 'ASK_SUSPENDED' // this run ends here, the retry brings the answer
  | 'ASK_REJECTED' // the user or model declined to answer
  | 'INVALID_ANSWER' // the client answered an ask with something that is no valid answer
  | 'STATE_TOO_LARGE' // the sealed state exceeds maxStateBytes
  | 'NO_RESULT' // a handler ended without a result
  | 'HANDLER_FAILED' // a handler threw something that is not for the peer
  | 'RESOURCE_NOT_FOUND' // no such resource
  | 'RESOURCE_TIMEOUT' // a live resource gave no value in time
  | 'OFFER_TIMEOUT' // a live offer gave no value in time
  | 'INVALID_ARGUMENTS' // arguments that fail the tool's schema
  | 'INVALID_PARAMS' // parameters that are malformed
  | 'OVERFLOW';
// a bounded buffer is full

/** Options of an {@link RxmcpError}. */
export interface RxmcpErrorOptions {
  readonly cause?: unknown;
  /** @default `'answered'` for ASK_REJECTED and INVALID_ANSWER, else `'not-sent'` */
  readonly outcome?: Outcome;
  readonly retryable?: boolean;
  readonly data?: JsonObject;
}

// What came of a question: there is an answer, be it a bad one, so that nobody may take it for a thing never sent.
const answers: ReadonlySet<RxmcpErrorCode> = new Set<RxmcpErrorCode>(['ASK_REJECTED', 'INVALID_ANSWER']);

/** A failure found on this side: deadlines, missing capabilities, broken answers. Eras project it onto the wire. */
export class RxmcpError extends Error {
  override readonly name = 'RxmcpError';
  readonly code: RxmcpErrorCode;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly data: JsonObject | undefined;

  constructor(code: RxmcpErrorCode, message: string, options: RxmcpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'RxmcpError');
    this.code = code;
    this.outcome = options.outcome ?? (answers.has(code) ? 'answered' : 'not-sent');
    this.retryable = options.retryable ?? false;
    this.data = options.data;
  }

  /** Recognises an RxmcpError of any installed copy, of one code if given. */
  static is(value: unknown, code?: RxmcpErrorCode): value is RxmcpError {
    return errorKind(value) === 'RxmcpError' && (code === undefined || (value as RxmcpError).code === code);
  }
}

/** A page that a person has to visit before a server does what it was asked (schema 2025-11-25 ElicitRequestURLParams). */
export interface UrlElicitation {
  /** By this name the server tells later that the visit is over. */
  readonly elicitationId: string;
  /** Never to be fetched ahead, and opened only after the person has seen all of it and agreed. */
  readonly url: string;
  /** Why it is needed. */
  readonly message: string;
}

/** The code of an error that names such pages; 2025-11-25 alone has it. */
export const URL_ELICITATION_REQUIRED = -32042;

const maxPages = 64;

/** Reads the pages that an error names; what is no page is left out. */
export function readUrlElicitations(data: unknown): readonly UrlElicitation[] {
  const named: unknown = isObject(data) ? data.elicitations : undefined;
  return Array.isArray(named) ? named.slice(0, maxPages).filter(isPage) : [];
}

function isPage(value: unknown): value is UrlElicitation {
  if (!isObject(value) || value.mode !== 'url') return false;
  const { elicitationId, url, message } = value;
  return [elicitationId, url, message].every((member) => typeof member === 'string');
}
