import type { ErrorObject, JsonObject } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, INVALID_PARAMS } from '@rxmcp/jsonrpc';
import { overloadData } from '../base/error-marks.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { singleLine, quoted } from '../base/message-text.js';
import { reportFailedHandler } from '../contract/faults.js';
import type { PendingExchange } from '../peer/exchange-contract.js';

/** A handler needs a client capability that a client of an older revision did not declare. */
export const CLIENT_CAPABILITY_MISSING = -31002;

/** Returns the error body that both eras have in common for a failure. Each era handles its own cases first. */
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

/** Creates the body of an error response. */
export function body(code: number, message: string, data?: unknown): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

/** Returns the tool result that describes to the model what is wrong with its arguments. */
export function argumentsResult(error: RxmcpError): JsonObject {
  return { content: [{ type: 'text', text: error.message }], isError: true };
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

// A handler received these from elsewhere, such as another remote. Their details must not reach its own caller.
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
  const what = `the handler of ${quoted(exchange.method)}`;
  const { exposed, reference } = reportFailedHandler(exchange, what, cause);
  return body(INTERNAL_ERROR, exposed ?? `internal error (reference ${reference})`);
}

/** Ignores a rejection, so that a promise that the era does not use causes no unhandled rejection. */
export function ignoreOutcome(promise: PromiseLike<unknown> | undefined): void {
  promise?.then(undefined, () => undefined);
}
