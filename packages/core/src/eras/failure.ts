import type { ErrorObject, JsonObject } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, INVALID_PARAMS } from '@rxmcp/jsonrpc';
import { overloadData } from '../base/error-marks.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { singleLine, quoted } from '../base/message-text.js';
import type { PendingExchange } from '../peer/exchange-contract.js';

/** A handler needs a client capability that an older client did not declare. */
export const CLIENT_CAPABILITY_MISSING = -31002;

/** What both eras say alike about a failure; an era looks at its own cases first. */
export function bodyOf(exchange: PendingExchange, error: unknown): ErrorObject {
  if (RpcError.is(error)) return body(error.code, error.message, overloadData(error));
  if (RxmcpError.is(error) && !foreign.has(error.code)) {
    const code = codes[error.code] ?? INTERNAL_ERROR;
    if (code === INTERNAL_ERROR) {
      exchange.host.fault({
        code: error.code,
        message: `${quoted(exchange.method)}: ${singleLine(error.message)}`,
        cause: error,
      });
    }
    return body(code, error.message, error.data);
  }
  return general(exchange, error);
}

/** Makes the body of an error. */
export function body(code: number, message: string, data?: unknown): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

/** The tool result that tells the model what was wrong with its arguments. */
export function argumentsResult(error: RxmcpError): JsonObject {
  return { content: [{ type: 'text', text: error.message }], isError: true };
}

/** A number by which the text that a peer sees and the details that the log has find each other. */
export function createReference(): string {
  return Math.floor(Math.random() * 0x100000000)
    .toString(16)
    .padStart(8, '0');
}

const codes: Partial<Record<RxmcpError['code'], number>> = {
  INVALID_PARAMS: INVALID_PARAMS,
  INVALID_ANSWER: INVALID_PARAMS,
  INVALID_ARGUMENTS: INVALID_PARAMS,
  RESOURCE_NOT_FOUND: INVALID_PARAMS,
  CAPABILITY_NOT_SUPPORTED: CLIENT_CAPABILITY_MISSING,
  ASK_UNAVAILABLE: CLIENT_CAPABILITY_MISSING,
  ASK_REJECTED: -1,
};

// What a handler met elsewhere, such as at another remote, is not for the eyes of its own caller.
const foreign: ReadonlySet<RxmcpError['code']> = new Set<RxmcpError['code']>([
  'TIMEOUT',
  'CANCELLED',
  'CLOSED',
  'INVALID_RESULT',
  'PROTOCOL_ERROR',
  'NO_COMMON_VERSION',
  'TOO_MANY_CALLS',
  'NOT_APPROVED',
  'TOO_MANY_ROUNDS',
  'OVERFLOW',
]);

function general(exchange: PendingExchange, cause: unknown): ErrorObject {
  const number = createReference();
  exchange.host.fault({
    code: 'HANDLER_FAILED',
    message: `the handler of ${quoted(exchange.method)} failed: ${singleLine(textOf(cause))}`,
    cause,
    reference: number,
  });
  return body(INTERNAL_ERROR, `internal error (reference ${number})`);
}

// Anything can be thrown, also what cannot be turned into text.
function textOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return `something of type ${typeof cause}`;
  }
}

/** Lets a promise fail that an era may have no use for: that is nobody's unhandled rejection. */
export function ignoreOutcome(promise: PromiseLike<unknown> | undefined): void {
  promise?.then(undefined, () => undefined);
}
