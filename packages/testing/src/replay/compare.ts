import type { JsonObject } from '@rxmcp/core';
import { redacted } from '../wire/redact.js';
import type { Ids } from './ids.js';

/** The first member in which a live message is not the recorded one. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Binding = Parameters<Ids['bind']>;

/**
 * Compares a message of the live party with the recorded one. Names that the party may choose (ids, progress tokens, sealed
 * states) are bound when they first come, and have to be the same from then on. Nothing is bound when something differs.
 */
export function compare(
  expected: unknown,
  actual: unknown,
  ids: Ids,
  strict: boolean,
): Difference | undefined {
  const bindings: Binding[] = [];
  const difference = Array.isArray(expected)
    ? batches(expected, actual, ids, strict, bindings)
    : messages(expected as JsonObject, actual, ids, strict, bindings, '');
  if (difference === undefined) for (const binding of bindings) ids.bind(...binding);
  return difference;
}

function batches(
  expected: readonly unknown[],
  actual: unknown,
  ids: Ids,
  strict: boolean,
  bindings: Binding[],
): Difference | undefined {
  if (!Array.isArray(actual) || actual.length !== expected.length) return { path: '', expected, actual };
  for (const [at, one] of expected.entries()) {
    const difference = messages(one as JsonObject, actual[at], ids, strict, bindings, `${at}.`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function messages(
  expected: JsonObject,
  actual: unknown,
  ids: Ids,
  strict: boolean,
  bindings: Binding[],
  prefix: string,
): Difference | undefined {
  const chosen: Readonly<Record<string, (recorded: unknown, live: unknown) => boolean>> = {
    ...(expected.method === undefined ? {} : { id: chooses('id') }),
    'params._meta.progressToken': chooses('token'),
    'result.requestState': chooses('state'),
    ...(expected.method === 'notifications/cancelled'
      ? { 'params.requestId': (recorded, live) => same(ids.of('id', recorded), live) }
      : {}),
  };
  function chooses(kind: Binding[0]) {
    return (recorded: unknown, live: unknown): boolean => {
      bindings.push([kind, recorded, live]);
      return typeof recorded === typeof live;
    };
  }
  const walk = (path: string, wanted: unknown, got: unknown): Difference | undefined => {
    if (wanted === redacted) return undefined;
    const choose = chosen[path];
    if (choose !== undefined) return choose(wanted, got) ? undefined : at(path, wanted, got);
    if (typeof wanted !== 'object' || typeof got !== 'object' || wanted === null || got === null) {
      return Object.is(wanted, got) ? undefined : at(path, wanted, got);
    }
    if (Array.isArray(wanted) !== Array.isArray(got)) return at(path, wanted, got);
    const names = new Set([...Object.keys(wanted), ...Object.keys(got)]);
    for (const name of names) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (!strict && isLoose(name, Object.hasOwn(wanted, name), Array.isArray(wanted))) {
        if (name === '_meta') bindToken(wanted, got, bindings);
        continue;
      }
      const difference = walk(inner, member(wanted, name), member(got, name));
      if (difference !== undefined) return difference;
    }
    return undefined;
  };
  const at = (path: string, wanted: unknown, got: unknown): Difference => ({
    path: prefix + path,
    expected: wanted,
    actual: got,
  });
  return walk('', expected, actual);
}

/** What a lenient comparison passes over: `_meta`, and members that were not recorded. */
function isLoose(name: string, wasRecorded: boolean, inArray: boolean): boolean {
  return name === '_meta' || (!wasRecorded && !inArray && name !== 'error' && name !== 'id');
}

function bindToken(wanted: object, got: object, bindings: Binding[]): void {
  const [recorded, live] = [wanted, got].map(
    (one) => (member(one, '_meta') as JsonObject | undefined)?.progressToken,
  );
  if (recorded !== undefined && live !== undefined) bindings.push(['token', recorded, live]);
}

function member(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
