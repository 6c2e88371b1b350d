import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { describeValue } from '../base/message-text.js';

/**
 * A client capability that a tool or prompt requires: `elicitation` means forms, `elicitation.url` pages.
 * @see Spec 2026-07-28 client/elicitation
 */
export type RequiredCapability = 'sampling' | 'sampling.tools' | 'roots' | 'elicitation' | 'elicitation.url';

/**
 * Returns the capabilities that a client must have declared for all of these needs, or undefined without needs.
 * @param what - begins the error, such as `tool "x"`
 * @throws TypeError for a name that is not a {@link RequiredCapability}
 */
export function capabilitiesForNeeds(
  what: string,
  names: readonly RequiredCapability[],
): JsonObject | undefined {
  if (names.length === 0) return undefined;
  const wrong = names.find((name) => !Object.hasOwn(declared, name));
  if (wrong !== undefined)
    throw new TypeError(
      `${what} needs ${describeValue(wrong)}; expected one of ${Object.keys(declared).join(', ')}`,
    );
  const needs: Record<string, JsonObject> = {};
  for (const name of names) {
    const [ability = '', mode] = declared[name];
    needs[ability] = { ...needs[ability], ...(mode === undefined ? {} : { [mode]: {} }) };
  }
  return needs;
}

/**
 * Returns the part of `needs` that a client did not declare, or undefined. An empty `elicitation: {}` declares
 * forms, because older clients know nothing else.
 * @see Spec 2026-07-28 client/elicitation#capabilities
 */
export function missingCapabilities(needs: JsonObject, capabilities: JsonObject): JsonObject | undefined {
  const { elicitation } = needs;
  if (elicitation === undefined || !isBare(capabilities, 'elicitation')) return lacking(needs, capabilities);
  return lacking(needs, { ...capabilities, elicitation: { form: {} } });
}

/** Formats capabilities for a message, such as `sampling.tools`. */
export function capabilityNames(missing: JsonObject): string {
  return Object.entries(missing)
    .map(([name, inner]) => {
      const more = isObject(inner) ? capabilityNames(inner) : '';
      return more === '' ? name : `${name}.${more}`;
    })
    .join(', ');
}

/** The capability of each need, and the member that must be declared inside it. */
const declared: Readonly<Record<RequiredCapability, readonly [ability: string, mode?: string]>> = {
  sampling: ['sampling'],
  'sampling.tools': ['sampling', 'tools'],
  roots: ['roots'],
  elicitation: ['elicitation', 'form'],
  'elicitation.url': ['elicitation', 'url'],
};

function isBare(capabilities: JsonObject, name: string): boolean {
  const declaredValue = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
  return isObject(declaredValue) && Object.keys(declaredValue).length === 0;
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
