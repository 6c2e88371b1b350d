import type { JsonObject } from 'rxmcp';
import { UsageError } from '../usage-error.js';

/** Reads ARGS. Throws a UsageError for anything but a JSON object. */
export function objectOf(text = '{}'): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`ARGS is not valid JSON: ${(cause as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError('ARGS must be one JSON object, such as {"a": 1}');
}

/** The arguments of a prompt. Throws a UsageError if one is not a string. */
export function stringsOf(args: JsonObject): Readonly<Record<string, string>> {
  const wrong = Object.keys(args).find((name) => typeof args[name] !== 'string');
  if (wrong !== undefined) throw new UsageError(`the argument "${wrong}" must be a string`);
  return args as Readonly<Record<string, string>>;
}
