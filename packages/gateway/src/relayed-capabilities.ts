import type { JsonObject } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';

/** Returns the capabilities of a client that relays asks to another one: of those for asks, what both have. */
export function relayedCapabilities(own: JsonObject, other: JsonObject): JsonObject {
  const { sampling, roots, elicitation } = other;
  // Empty, it declares forms: older clients know nothing else.
  const isBare = isObject(elicitation) && Object.keys(elicitation).length === 0;
  const theirs = { sampling, roots, elicitation: isBare ? { form: {} } : elicitation };
  const common = { ...own };
  for (const [name, features] of Object.entries(theirs)) {
    const mine = own[name];
    if (!isObject(features)) delete common[name];
    else if (isObject(mine))
      common[name] = Object.fromEntries(
        Object.entries(mine).filter(([each]) => Object.hasOwn(features, each)),
      );
  }
  return common;
}
