import { INTERNAL_ERROR } from '../messages/error-codes.js';
import { defaultJsonLimits } from './json-shape.js';
import { WireError } from '../messages/wire-error.js';

const { maxDepth, maxValues } = defaultJsonLimits;

/** How many more values the current copy may hold. */
let left = 0;

/**
 * Copies a value as `JSON.parse(JSON.stringify(value))` would: without prototypes, `undefined` members and functions, and with
 * `toJSON`. Throws a {@link WireError} with code INVALID_MESSAGE for a cycle, a BigInt, and a value over the
 * {@link defaultJsonLimits}.
 */
export function cloneJson<T>(value: T): T {
  // A `toJSON` or a getter may itself send a message, which is cloned in between.
  const outer = left;
  left = maxValues - 1;
  try {
    return clone(value, 0, '') as T;
  } finally {
    left = outer;
  }
}

function clone(value: unknown, depth: number, key: string): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // JSON has neither NaN nor the infinities, nor a minus zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return cloneArray(value, below(depth));
      if (typeof (value as Jsonable).toJSON === 'function')
        return cloneToJsonResult((value as Jsonable).toJSON(key), depth, key);
      return cloneObject(value as Record<string, unknown>, below(depth));
    case 'bigint':
      throw rejected(`the member "${key}" is a BigInt, which JSON cannot express`);
    default:
      return undefined;
  }
}

interface Jsonable {
  toJSON(key: string): unknown;
}

/** Copies the result of a `toJSON`, whose own `toJSON` is not called. */
function cloneToJsonResult(value: unknown, depth: number, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return clone(value, depth, key);
  return cloneObject(value as Record<string, unknown>, below(depth));
}

function below(depth: number): number {
  if (depth >= maxDepth) throw rejected(`the value nests deeper than ${maxDepth} or contains itself`);
  return depth + 1;
}

function cloneArray(from: readonly unknown[], depth: number): unknown[] {
  take(from.length);
  const to: unknown[] = [];
  for (let index = 0; index < from.length; index++) to.push(clone(from[index], depth, '') ?? null);
  return to;
}

function cloneObject(from: Record<string, unknown>, depth: number): unknown {
  const to: Record<string, unknown> = {};
  if (isPlain(from)) {
    // The engine keeps the names of plain objects ready for this loop; asking for them as an array costs a third more.
    for (const name in from) copy(from, to, name, depth);
  } else {
    for (const name of Object.keys(from)) copy(from, to, name, depth);
  }
  return to;
}

function copy(from: Record<string, unknown>, to: Record<string, unknown>, name: string, depth: number): void {
  const member = from[name];
  const value = typeof member === 'string' ? member : clone(member, depth, name);
  if (value === undefined) return;
  take(1);
  if (name === '__proto__') setOwn(to, name, value);
  else to[name] = value;
}

/** Whether `for in` finds own members only: `Object.prototype` may have been extended. */
function isPlain(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const _inherited in Object.prototype) return false;
  return true;
}

/** Plain assignment would set the prototype. */
function setOwn(to: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Counted per container, so that a shared part counts as often as it would be written. */
function take(values: number): void {
  left -= values;
  if (left < 0) throw rejected(`the value holds more than ${maxValues} values`);
}

function rejected(message: string): WireError {
  return new WireError('INVALID_MESSAGE', message, { rpcCode: INTERNAL_ERROR });
}
