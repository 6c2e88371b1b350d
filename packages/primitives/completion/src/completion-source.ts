import { type Context, type JsonObject, type HandlerResult, RxmcpError } from '@rxmcp/core';
import { isObject, mapHandlerResult } from '@rxmcp/core/internal';
import { maxValues } from './completion-result.js';

/** The values of a function that returns only a part of the matches. */
export interface CompletionResult {
  /** The values, the best first; values above 100 are not sent. */
  readonly values: readonly string[];
  /** The total number of matches. @default the number of values, unless `hasMore` is set */
  readonly total?: number;
  /** Whether there are more matches. @default whether `total` exceeds the number of sent values */
  readonly hasMore?: boolean;
}

/**
 * Returns completions of what was typed so far: all matches, the best first, or a part of them with the total.
 * `filled` has the client's values of other arguments, which are only checked to be strings.
 */
export type CompletionHandler = (
  typed: string,
  ctx: Context,
  filled: Readonly<Record<string, string>>,
) => HandlerResult<readonly string[] | CompletionResult>;

/** The source of values: a list, filtered by prefix, or a function. */
export type CompletionSource = readonly string[] | CompletionHandler;

/** Turns a source into a handler. Throws a TypeError that begins with `where` for anything else. */
export function toCompletionHandler(where: string, source: CompletionSource): CompletionHandler {
  if (typeof source === 'function') return source;
  if (!Array.isArray(source) || !source.every((value) => typeof value === 'string'))
    throw new TypeError(`${where} must be a list of strings or a function`);
  const values = Object.freeze([...(source as readonly string[])]);
  return (typed) => filterByPrefix(typed, values);
}

/** Converts the value of a source to its wire format. */
export function toCompletion(
  where: string,
  output: HandlerResult<readonly string[] | CompletionResult>,
): HandlerResult<JsonObject> {
  return mapHandlerResult(output, (given) => ({ completion: cut(where, given) }));
}

function cut(where: string, given: readonly string[] | CompletionResult | null | undefined): JsonObject {
  if (given === undefined || given === null)
    throw new RxmcpError('NO_RESULT', `${where} ended without values`);
  const found: CompletionResult = isList(given) ? { values: given } : given;
  if (!isObject(found) || !isList(found.values))
    throw new TypeError(`${where} returned neither strings nor { values }`);
  const { values, total = found.hasMore === undefined ? values.length : undefined } = found;
  if (!values.every((value) => typeof value === 'string'))
    throw new TypeError(`${where} returned a value that is not a string`);
  if (total !== undefined && !(Number.isInteger(total) && total >= values.length))
    throw new TypeError(`${where} returned ${values.length} values and a total of ${String(total)}`);
  const sent = values.slice(0, maxValues);
  const more = found.hasMore === true || sent.length < values.length || (total ?? 0) > sent.length;
  return { values: sent, ...(total === undefined ? {} : { total }), hasMore: more };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/**
 * Returns the values that begin with what was typed, in their order; case is ignored. Lists as sources are filtered this way;
 * custom functions can use it too.
 */
export function filterByPrefix(typed: string, values: readonly string[]): readonly string[] {
  if (typed === '') return values;
  const beginning = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(beginning));
}
