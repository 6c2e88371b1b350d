import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { catchError, map, throwError } from 'rxjs';
import { RxmcpError, RpcError } from '../base/errors.js';
import type { ResponseEvent, Interceptor } from '../contract/interceptor.js';

/** Configures {@link redact}. */
export interface RedactOptions {
  /** Members whose values are removed; upper and lower case are the same. */
  readonly keys?: readonly string[];
  /** Patterns whose matches are removed from all texts. */
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

/**
 * Removes secrets from results, logs, progress and errors, and on request from parameters. Replaces whole values
 * under the given keys, and matches of patterns within texts.
 */
export function redact(options: RedactOptions): Interceptor {
  rejectUnknownOptions('redact', options, knownOptions, { params: 'redactParams' });
  const { replacement = '[redacted]', redactParams: alsoParams = false } = options;
  const keys = new Set((options.keys ?? []).map((key) => key.toLowerCase()));
  // Sticky or stateful patterns would miss every second match.
  const patterns = (options.patterns ?? []).map(
    ({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`),
  );
  const text = (value: string): string =>
    patterns.reduce((cleaned, pattern) => cleaned.replace(pattern, () => replacement), value);
  // Returns the same object if nothing was found, so that its cached text is used.
  const clean = <T>(value: T): T => {
    if (typeof value === 'string') return text(value) as T;
    if (typeof value !== 'object' || value === null) return value;
    // JSON.stringify sends the result of toJSON, so that the secret may be in there.
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const sent = toJSON.call(value, '') as T;
      if (sent !== value) return clean(sent);
    }
    if (Array.isArray(value)) {
      const items = value.map(clean);
      return (items.some((item, at) => item !== value[at]) ? items : value) as T;
    }
    let copy: JsonObject | undefined;
    for (const [key, member] of Object.entries(value)) {
      const cleaned: unknown = keys.has(key.toLowerCase()) ? replacement : clean(member);
      if (cleaned === member) continue;
      copy ??= { ...(value as JsonObject) };
      // Also `__proto__`, which is a member of the copy itself.
      copy[key] = cleaned;
    }
    return (copy ?? value) as T;
  };
  const error = (cause: unknown): unknown => {
    if (RpcError.is(cause)) {
      const { code, message, data } = cause;
      const body = { code, message: text(message) };
      return RpcError.fromResponse(data === undefined ? body : { ...body, data: clean(data) });
    }
    if (!RxmcpError.is(cause)) return cause;
    const { code, message, outcome, retryable, data } = cause;
    const more = data === undefined ? {} : { data: clean(data) };
    return new RxmcpError(code, text(message), { outcome, retryable, cause: cause.cause, ...more });
  };
  const event = (given: ResponseEvent): ResponseEvent => {
    if (given.type === 'result') return { type: 'result', result: clean(given.result) };
    if (given.type === 'log') return { ...given, data: clean(given.data) };
    return given.message === undefined ? given : { ...given, message: text(given.message) };
  };
  return (exchange, next) =>
    next(alsoParams ? clean(exchange.params) : exchange.params).pipe(
      map(event),
      catchError((cause: unknown) => throwError(() => error(cause))),
    );
}
