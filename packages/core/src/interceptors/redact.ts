import { rejectUnknownOptions, omitUndefined } from '@rxmcp/transport/internal';
import { TransportError } from '@rxmcp/transport';
import { catchError, map, throwError } from 'rxjs';
import { RxmcpError, RpcError } from '../base/errors.js';
import { thrownText } from '../contract/faults.js';
import type { ResponseEvent, Interceptor } from '../contract/interceptor.js';
import { SecretCleaner } from './secret-cleaner.js';

/** Configures {@link redact}. */
export interface RedactOptions {
  /**
   * Members whose values are removed; upper and lower case are the same. A text that as a whole is a JSON object or
   * array loses them too. Lists of the protocol keep them, except in `_meta`, and so does the schema of a form.
   */
  readonly keys?: readonly string[];
  /** Patterns whose matches are removed from all texts and from the names of members. Names in schemas stay. */
  readonly patterns?: readonly RegExp[];
  /** The replacement. @default '[redacted]' */
  readonly replacement?: string;
  /** Whether parameters are redacted too. @default false */
  readonly redactParams?: boolean;
}

const knownOptions: Record<keyof RedactOptions, true> = {
  keys: true,
  patterns: true,
  replacement: true,
  redactParams: true,
};

/** Their results describe items. The names in them, such as the arguments of a tool, are no data. */
const lists: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'roots/list',
]);

/**
 * Removes secrets from results, logs, progress and errors, and on request from parameters. Replaces whole values
 * under the given keys, and matches of patterns within texts and names of members.
 *
 * An error that holds a secret becomes a new one: of the same code, or an `Error` whose `cause` is the original. Not
 * cleaned are the asks of a handler, what it sends with `ctx.notify` and `ctx.request`, and what stays on this side:
 * the causes of errors, and faults.
 */
export function redact(options: RedactOptions): Interceptor {
  rejectUnknownOptions('redact', options, knownOptions, { params: 'redactParams' });
  const { keys = [], patterns = [], replacement = '[redacted]', redactParams = false } = options;
  const cleaner = new SecretCleaner({ keys, patterns, replacement });
  const event = (method: string, given: ResponseEvent): ResponseEvent => {
    if (given.type === 'result') {
      const { result } = given;
      return {
        type: 'result',
        result: lists.has(method) ? cleaner.description(result) : cleaner.value(result),
      };
    }
    if (given.type === 'log') {
      const { data, logger } = given;
      return {
        ...given,
        data: cleaner.value(data),
        ...(logger === undefined ? {} : { logger: cleaner.text(logger) }),
      };
    }
    return given.message === undefined ? given : { ...given, message: cleaner.text(given.message) };
  };
  return ({ method, params }, next) =>
    next(redactParams ? cleaner.value(params) : params).pipe(
      map((given) => event(method, given)),
      catchError((cause: unknown) => throwError(() => cleanError(cleaner, cause))),
    );
}

/** Returns the same error if nothing was found, so that what else is known of it stays. */
function cleanError(cleaner: SecretCleaner, cause: unknown): unknown {
  if (RpcError.is(cause)) {
    const { code } = cause;
    const message = cleaner.text(cause.message);
    const data = cleaner.value(cause.data);
    if (message === cause.message && data === cause.data) return cause;
    return RpcError.fromResponse({ code, message, ...omitUndefined({ data }) });
  }
  if (RxmcpError.is(cause)) {
    const { code, outcome, retryable } = cause;
    const message = cleaner.text(cause.message);
    const data = cleaner.value(cause.data);
    if (message === cause.message && data === cause.data) return cause;
    const kept = omitUndefined({ cause: cause.cause, data });
    return new RxmcpError(code, message, { outcome, retryable, ...kept });
  }
  if (TransportError.is(cause)) {
    const { code, outcome, retryable, reply } = cause;
    const message = cleaner.text(cause.message);
    const details = cleaner.value(cause.details);
    if (message === cause.message && details === cause.details) return cause;
    const kept = omitUndefined({ cause: cause.cause, reply, details });
    return new TransportError(code, message, { outcome, retryable, ...kept });
  }
  const said = thrownText(cause);
  const message = cleaner.text(said);
  if (message === said) return cause;
  const error = new Error(message, { cause });
  // A fault is printed with the place where the handler failed.
  if (cause instanceof Error && typeof (cause.stack as unknown) === 'string')
    error.stack = cleaner.text(String(cause.stack).replace(said, () => message));
  return error;
}
