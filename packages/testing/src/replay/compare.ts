import type { JsonObject } from '@rxmcp/core';
import { redacted } from '../wire/redact.js';
import type { Ids } from './ids.js';

/** The first member in which a live message is not the recorded one. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * How much has to be equal. `strict`: all. `drawn`: all, but `_meta` only where it is drawn. `lenient`: what was recorded,
 * `_meta` apart, with more members of objects and more entries of arrays anywhere.
 */
export type Closeness = 'strict' | 'drawn' | 'lenient';

type Binding = Parameters<Ids['bind']>;

/**
 * Compares a message of the live party with the recorded one. Names that the party may choose (ids, progress tokens, sealed
 * states) are bound when they first come, and have to be the same from then on. Nothing is bound when something differs.
 */
export function compare(
  expected: unknown,
  actual: unknown,
  ids: Ids,
  how: Closeness,
): Difference | undefined {
  const bindings: Binding[] = [];
  const difference = Array.isArray(expected)
    ? batches(expected, actual, ids, how, bindings)
    : messages(expected as JsonObject, actual, ids, how, bindings, '');
  if (difference === undefined) for (const binding of bindings) ids.bind(...binding);
  return difference;
}

function batches(
  expected: readonly unknown[],
  actual: unknown,
  ids: Ids,
  how: Closeness,
  bindings: Binding[],
): Difference | undefined {
  if (!Array.isArray(actual) || actual.length !== expected.length) return { path: '', expected, actual };
  for (const [at, one] of expected.entries()) {
    const difference = messages(one as JsonObject, actual[at], ids, how, bindings, `${at}.`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function messages(
  expected: JsonObject,
  actual: unknown,
  ids: Ids,
  how: Closeness,
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
    if (how === 'lenient' && Array.isArray(wanted)) return entries(path, wanted, got as readonly unknown[]);
    const names = new Set([...Object.keys(wanted), ...Object.keys(got)]);
    for (const name of names) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (isLoose(how, name, Object.hasOwn(wanted, name))) {
        if (name === '_meta') bindToken(expected.id, wanted, got, bindings);
        continue;
      }
      const difference = walk(inner, member(wanted, name), member(got, name));
      if (difference !== undefined) return difference;
    }
    return undefined;
  };
  // In the recorded order; what stands between was not recorded, as far as there is more than was.
  const entries = (
    path: string,
    wanted: readonly unknown[],
    got: readonly unknown[],
  ): Difference | undefined => {
    let more = Math.max(0, got.length - wanted.length);
    let next = 0;
    for (const [index, one] of wanted.entries()) {
      const first = walk(`${path}.${index}`, one, got[next]);
      let difference = first;
      while (difference !== undefined && more > 0) {
        more -= 1;
        next += 1;
        difference = walk(`${path}.${index}`, one, got[next]);
      }
      if (difference !== undefined) return first;
      next += 1;
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

/** What is passed over. */
function isLoose(how: Closeness, name: string, wasRecorded: boolean): boolean {
  if (how === 'strict') return false;
  if (name === '_meta') return how === 'lenient' || !wasRecorded;
  return how === 'lenient' && !wasRecorded && name !== 'error' && name !== 'id';
}

/** A request that is drawn without its token is known by its id. */
function bindToken(id: unknown, wanted: object, got: object, bindings: Binding[]): void {
  const [recorded, live] = [wanted, got].map(
    (one) => (member(one, '_meta') as JsonObject | undefined)?.progressToken,
  );
  if (live !== undefined) bindings.push(['token', recorded ?? id, live]);
}

function member(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
