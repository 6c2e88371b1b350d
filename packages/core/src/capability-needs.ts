import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from './is-object.js';
import { shown } from './names.js';

/** An ability of clients that a handler may depend on. */
export type ClientNeed = 'sampling' | 'roots' | 'elicitation';

/**
 * What a client must have declared for all of these; undefined for none. Elicitation means forms. Throws a TypeError that
 * begins with `what`, such as `tool "x"`, for one that is no such ability.
 */
export function needsOf(what: string, names: readonly ClientNeed[]): JsonObject | undefined {
  if (names.length === 0) return undefined;
  const wrong = names.find((name) => !clientNeeds.includes(name));
  if (wrong !== undefined)
    throw new TypeError(`${what} needs ${shown(wrong)}, which is none of ${clientNeeds.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, name === 'elicitation' ? { form: {} } : {}]));
}

/**
 * The part of `needs` that a client's capabilities lack, or undefined. A bare `elicitation: {}` declares forms: older
 * clients know nothing else. Spec 2026-07-28 client/elicitation#capabilities.
 */
export function missingOf(needs: JsonObject, capabilities: JsonObject): JsonObject | undefined {
  const { elicitation } = needs;
  if (elicitation === undefined || !isBare(capabilities, 'elicitation')) return lacking(needs, capabilities);
  return lacking(needs, { ...capabilities, elicitation: { form: {} } });
}

/** The members of {@link missingOf}'s answer as a message names them, such as `sampling.tools`. */
export function namesOf(missing: JsonObject): string {
  return Object.entries(missing)
    .map(([name, inner]) => {
      const more = isObject(inner) ? namesOf(inner) : '';
      return more === '' ? name : `${name}.${more}`;
    })
    .join(', ');
}

const clientNeeds: readonly ClientNeed[] = ['sampling', 'roots', 'elicitation'];

function isBare(capabilities: JsonObject, name: string): boolean {
  const declared = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
  return isObject(declared) && Object.keys(declared).length === 0;
}

function lacking(needs: JsonObject, has: JsonObject): JsonObject | undefined {
  let missing: JsonObject | undefined;
  for (const [name, need] of Object.entries(needs)) {
    const got = Object.hasOwn(has, name) ? has[name] : undefined;
    if (!isObject(got)) {
      (missing ??= {})[name] = need;
    } else {
      const inner = lacking(need as JsonObject, got);
      if (inner !== undefined) (missing ??= {})[name] = inner;
    }
  }
  return missing;
}
