import { isReservedCode } from '@rxmcp/jsonrpc';
import type { ErrorBody, JsonObject } from '@rxmcp/jsonrpc';
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
    if (!Number.isInteger(code) || (isReservedCode(code) && !standard.has(code))) {
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
    return this.code === pagesWanted ? pagesOf(this.data) : undefined;
  }

  /** An error as the peer sent it: any code is taken. */
  static received(body: ErrorBody): RpcError {
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
export function invalidResult(method: string, what: string): McpError {
  return new McpError('INVALID_RESULT', `the result of "${method}" ${what}`, { outcome: 'answered' });
}

const standard = new Set([-32700, -32600, -32601, -32602, -32603, -32002]);

/** Codes of {@link McpError}; stable, one heading each in the package's README. */
export type McpErrorCode =
  | 'TIMEOUT' // no sign of life within timeoutMs, or not finished within totalMs
  | 'CANCELLED' // the other side cancelled, or a signal did
  | 'CLOSED' // the remote is closed
  | 'CAPABILITY_ABSENT' // the peer did not declare what the call needs
  | 'INVALID_RESULT' // the peer answered something that is no valid result
  | 'PROTOCOL' // the peer broke the protocol in answering this call
  | 'NO_COMMON_VERSION' // nothing both sides speak
  | 'TOO_MANY_CALLS' // the limit of calls in flight
  | 'NOT_APPROVED' // the person who was asked did not approve the call
  | 'TOO_MANY_ROUNDS' // the peer keeps asking
  | 'ASK_UNAVAILABLE' // nobody can answer this ask
  | 'ASK_SUSPENDED' // this run ends here, the retry brings the answer
  | 'ASK_REJECTED' // the user or model declined to answer
  | 'ANSWER_INVALID' // the client answered an ask with something that is no valid answer
  | 'STATE_TOO_LARGE' // the sealed state exceeds maxStateBytes
  | 'HANDLER_EMPTY' // a handler ended without a result
  | 'HANDLER_FAILED' // a handler threw something that is not for the peer
  | 'RESOURCE_MISSING' // no such resource
  | 'RESOURCE_SILENT' // a live resource gave no value in time
  | 'OFFER_SILENT' // a live offer gave no value in time
  | 'ARGUMENTS_INVALID' // arguments that fail the tool's schema
  | 'PARAMS_INVALID' // parameters that are malformed
  | 'OVERFLOW';
// a bounded buffer is full

/** Options of an {@link McpError}. */
export interface McpErrorOptions {
  readonly cause?: unknown;
  /** @default `'answered'` for ASK_REJECTED and ANSWER_INVALID, else `'not-sent'` */
  readonly outcome?: Outcome;
  readonly retryable?: boolean;
  readonly data?: JsonObject;
}

// What came of a question: there is an answer, be it a bad one, so that nobody may take it for a thing never sent.
const answers: ReadonlySet<McpErrorCode> = new Set<McpErrorCode>(['ASK_REJECTED', 'ANSWER_INVALID']);

/** A failure found on this side: deadlines, missing capabilities, broken answers. Eras project it onto the wire. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: McpErrorCode;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly data: JsonObject | undefined;

  constructor(code: McpErrorCode, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'McpError');
    this.code = code;
    this.outcome = options.outcome ?? (answers.has(code) ? 'answered' : 'not-sent');
    this.retryable = options.retryable ?? false;
    this.data = options.data;
  }

  /** Recognises an McpError of any installed copy, of one code if given. */
  static is(value: unknown, code?: McpErrorCode): value is McpError {
    return errorKind(value) === 'McpError' && (code === undefined || (value as McpError).code === code);
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
export const pagesWanted = -32042;

const maxPages = 64;

/** Reads the pages that an error names; what is no page is left out. */
export function pagesOf(data: unknown): readonly UrlElicitation[] {
  const named: unknown = isObject(data) ? data.elicitations : undefined;
  return Array.isArray(named) ? named.slice(0, maxPages).filter(isPage) : [];
}

function isPage(value: unknown): value is UrlElicitation {
  if (!isObject(value) || value.mode !== 'url') return false;
  const { elicitationId, url, message } = value;
  return [elicitationId, url, message].every((member) => typeof member === 'string');
}
