import type { Context, JsonObject, HandlerResult } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { isObject, mapHandlerResult } from '@rxmcp/core/internal';
import { maxValues } from './completion-result.js';

/** What was found, where a function does not hand over all there is. */
export interface CompletionResult {
  /** The best first; above 100 the rest is left out. */
  readonly values: readonly string[];
  /** How many there are in all. @default the number of values where `hasMore` is not said */
  readonly total?: number;
  /** Whether there are more than these. @default whether `total` is more than what is sent */
  readonly hasMore?: boolean;
}

/**
 * Suggests values for what was typed so far: all that fit, the best first, or a part of them with what is known of the rest.
 * `filled` has what the client said of the other arguments; nothing of it is checked but that they are strings.
 */
export type CompletionHandler = (
  typed: string,
  ctx: Context,
  filled: Readonly<Record<string, string>>,
) => HandlerResult<readonly string[] | CompletionResult>;

/** Where values come from: a list, of which those fit that begin with what was typed, or a function. */
export type CompletionSource = readonly string[] | CompletionHandler;

/** Turns a source into a handler. Throws a TypeError that begins with `where` for anything else. */
export function toCompletionHandler(where: string, source: CompletionSource): CompletionHandler {
  if (typeof source === 'function') return source;
  if (!Array.isArray(source) || !source.every((value) => typeof value === 'string'))
    throw new TypeError(`${where}: this is neither a list of strings nor a function`);
  const values = Object.freeze([...(source as readonly string[])]);
  return (typed) => filterByPrefix(typed, values);
}

/** Brings what a source gives into the form of the wire. */
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
 * Those of the values that begin with what was typed, in their order; upper and lower case are the same. What a list given as
 * a source is searched with, for functions that have a list of their own.
 */
export function filterByPrefix(typed: string, values: readonly string[]): readonly string[] {
  if (typed === '') return values;
  const beginning = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(beginning));
}
