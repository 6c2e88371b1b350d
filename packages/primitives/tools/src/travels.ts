import type { StandardSchema } from '@rxmcp/core';
import { isThenable } from '@rxmcp/core/internal';

/** Checks a value. */
export type Check = StandardSchema['~standard']['validate'];

/** The check of a library, which may take more than JSON: what it leaves as it was has to hold as it travels too. */
export function alsoAsItTravels(check: Check): Check {
  return (value) => {
    const settled = (outcome: Awaited<ReturnType<Check>>): ReturnType<Check> =>
      outcome.issues === undefined && Object.is(outcome.value, value) && !isPlain(value)
        ? check(travelled(value))
        : outcome;
    const outcome = check(value);
    return isThenable(outcome) ? Promise.resolve(outcome).then(settled) : settled(outcome);
  };
}

/** The check of a raw JSON Schema, which speaks of nothing but what travels. */
export function asItTravels(check: Check): Check {
  return (value) => check(isPlain(value) ? value : travelled(value));
}

/** The JSON of a value. Throws a TypeError for what has none. */
export function jsonOf(data: unknown): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError('the value is not JSON');
  return json;
}

function travelled(value: unknown): unknown {
  return JSON.parse(jsonOf(value));
}

/** True for what is the same once it has travelled; members that are undefined stay at home. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
  if ('toJSON' in value && typeof value.toJSON === 'function') return false;
  if (Array.isArray(value)) return Array.from(value).every((item) => item !== undefined && isPlain(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.values(value).every((item) => isPlain(item))
  );
}
