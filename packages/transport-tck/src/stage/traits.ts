import type { Traits } from '@rxmcp/transport';
import { assert } from './verdict.js';

/** Fails on a trait that is missing or none of its values. */
export function checkTraits(traits: Traits): void {
  const { lanes, idScope, push, replies, mirrors, redialable, maxMessageBytes } = traits;
  assert(lanes === 'shared' || lanes === 'per-request', `traits.lanes is ${String(lanes)}`);
  assert(idScope === 'connection' || idScope === 'lane', `traits.idScope is ${String(idScope)}`);
  for (const [name, value] of Object.entries({ push, replies, mirrors, redialable })) {
    assert(typeof value === 'boolean', `traits.${name} is no boolean`);
  }
  assert(maxMessageBytes > 0, `traits.maxMessageBytes is ${String(maxMessageBytes)}`);
}
