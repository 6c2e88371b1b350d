import type { JsonObject } from '@rxmcp/core';
import { redacted } from '../wire/recording-buffer.js';
import type { Ids } from './ids.js';

/** The first member in which a live message differs from the recorded one. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * How much must be equal. `strict`: all. `drawn`: all, but `_meta` only where it is drawn. `lenient`: what was recorded,
 * except `_meta`; objects may have more members, and arrays more entries anywhere.
 */
export type Closeness = 'strict' | 'drawn' | 'lenient';

type Binding = Parameters<Ids['bind']>;
type Kind = Binding[0];

/**
 * Compares a message of the live party with the recorded one. Names that the party may choose (ids, progress tokens, sealed
 * states) are bound at their first use and must stay the same. Nothing is bound if the messages differ.
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
  const bind = (kind: Kind, recorded: unknown, live: unknown): boolean => {
    const isHere = ([other, name, found]: Binding): boolean =>
      other === kind && same(found, live) && !same(name, recorded);
    if (kind !== 'state' && (ids.isTaken(kind, recorded, live) || bindings.some(isHere))) return false;
    bindings.push([kind, recorded, live, expected.id]);
    return true;
  };
  const chooses = (kind: Kind) => (recorded: unknown, live: unknown) =>
    typeof recorded === typeof live && bind(kind, recorded, live);
  const chosen = new Map<string, (recorded: unknown, live: unknown) => boolean>([
    ['params._meta.progressToken', chooses('token')],
    ['result.requestState', chooses('state')],
  ]);
  if (expected.method !== undefined) chosen.set('id', chooses('id'));
  if (expected.method === 'notifications/cancelled') {
    chosen.set('params.requestId', (recorded, live) => same(ids.of('id', recorded), live));
    // A cancel that is drawn as `!` has any reason, or none.
    chosen.set('params.reason', (recorded, live) => recorded === redacted || same(recorded, live));
  }
  const walk = (path: string, wanted: unknown, got: unknown): Difference | undefined => {
    // Names are no secrets: one that was not kept is not that of the live party.
    const choose = chosen.get(path);
    if (choose !== undefined) return choose(wanted, got) ? undefined : at(path, wanted, got);
    if (wanted === redacted && got !== undefined) return undefined;
    if (typeof wanted !== 'object' || typeof got !== 'object' || wanted === null || got === null) {
      return Object.is(wanted, got) ? undefined : at(path, wanted, got);
    }
    if (Array.isArray(wanted) !== Array.isArray(got)) return at(path, wanted, got);
    if (how === 'lenient' && Array.isArray(wanted)) return entries(path, wanted, got as readonly unknown[]);
    const names = new Set([...Object.keys(wanted), ...Object.keys(got)]);
    for (const name of names) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (isLoose(how, inner, name, Object.hasOwn(wanted, name))) {
        if (inner !== 'params._meta') continue;
        // A request that is drawn without its token is known by its id.
        const [recorded, live] = [wanted, got].map(tokenOf);
        if (live === undefined || bind('token', recorded ?? expected.id, live)) continue;
        return at(`${inner}.progressToken`, recorded, live);
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

/** What makes another message of one, wherever more is fine. */
const telling: ReadonlySet<string> = new Set(['id', 'method', 'error', 'result.isError']);

/** The ignored members. */
function isLoose(how: Closeness, path: string, name: string, wasRecorded: boolean): boolean {
  if (how === 'strict') return false;
  if (name === '_meta') return how === 'lenient' || !wasRecorded;
  return how === 'lenient' && !wasRecorded && !telling.has(path);
}

function tokenOf(body: object): unknown {
  return (member(body, '_meta') as JsonObject | undefined)?.progressToken;
}

function member(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
