import type { JsonObject } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isObject, quoted, shown } from '@rxmcp/core/internal';

/** What a client wants completed. */
export interface CompleteRequest {
  readonly kind: 'prompt' | 'template';
  /** The name of the prompt, or the text of the template. */
  readonly of: string;
  readonly argument: string;
  readonly typed: string;
  /** What is known of the other arguments. */
  readonly filled: Readonly<Record<string, string>>;
}

/** Checks the parameters of `completion/complete`. Throws PARAMS_INVALID. */
export function requestOf({ ref, argument, context }: JsonObject): CompleteRequest {
  if (!isObject(ref)) throw invalid('"ref" must be an object');
  if (!isObject(argument)) throw invalid('"argument" must be an object');
  const { name, value } = argument;
  if (typeof name !== 'string') throw invalid('"argument.name" must be a string');
  if (typeof value !== 'string') throw invalid('"argument.value" must be a string');
  return { ...referred(ref), argument: name, typed: value, filled: filledBy(context) };
}

/** An error of the parameters. */
export function invalid(problem: string): McpError {
  return new McpError('PARAMS_INVALID', `completion/complete: ${problem}`);
}

function referred({ type, name, uri }: JsonObject): Pick<CompleteRequest, 'kind' | 'of'> {
  if (type === 'ref/prompt') {
    if (typeof name !== 'string') throw invalid('"ref.name" must be a string');
    return { kind: 'prompt', of: name };
  }
  if (type === 'ref/resource') {
    if (typeof uri !== 'string') throw invalid('"ref.uri" must be a string');
    return { kind: 'template', of: uri };
  }
  throw invalid(`"ref.type" must be "ref/prompt" or "ref/resource", not ${shown(type)}`);
}

function filledBy(context: unknown): Readonly<Record<string, string>> {
  if (context === undefined) return none;
  if (!isObject(context)) throw invalid('"context" must be an object');
  const { arguments: filled } = context;
  if (filled === undefined) return none;
  if (!isObject(filled)) throw invalid('"context.arguments" must be an object');
  const wrong = Object.keys(filled).find((name) => typeof filled[name] !== 'string');
  if (wrong !== undefined) throw invalid(`"context.arguments": ${quoted(wrong)} must be a string`);
  return filled as Readonly<Record<string, string>>;
}

const none: Readonly<Record<string, string>> = Object.freeze({});
