import type { Traits } from '@rxmcp/transport';
import { assert, equal } from './assert.js';

/** Fails on a trait that is missing or has an invalid value. */
export function checkTraits(traits: Traits): void {
  const { lanes, idScope, serverInitiates, clientReplies, carriesHeaders, redialable, maxMessageBytes } =
    traits;
  assert(lanes === 'shared' || lanes === 'per-request', `traits.lanes is ${String(lanes)}`);
  assert(idScope === 'connection' || idScope === 'lane', `traits.idScope is ${String(idScope)}`);
  for (const [name, value] of Object.entries({
    serverInitiates,
    clientReplies,
    carriesHeaders,
    redialable,
  })) {
    assert(typeof value === 'boolean', `traits.${name} is not a boolean`);
  }
  assert(maxMessageBytes > 0, `traits.maxMessageBytes is ${String(maxMessageBytes)}`);
}

/** Fails where the traits of both sides of a connection contradict each other. @param alike Each connection has its own served side. */
export function checkFit(dialled: Traits, served: Traits, alike: boolean): void {
  const { principal: _, redialable: __, holder: ___, ...theirs } = served;
  const { principal: ____, redialable: _____, holder: ______, ...ours } = dialled;
  if (alike) {
    for (const name of Object.keys({ ...ours, ...theirs }) as (keyof typeof ours)[]) {
      equal(theirs[name], ours[name], `traits.${name} of the served side`);
    }
    return;
  }
  // The dialling side states what any server may do; one endpoint or session may do less.
  for (const name of ['lanes', 'maxMessageBytes'] as const) {
    equal(theirs[name], ours[name], `traits.${name} of the served side`);
  }
  for (const name of ['serverInitiates', 'clientReplies', 'carriesHeaders'] as const) {
    assert(ours[name] || !theirs[name], `traits.${name} is true on the served side only`);
  }
}
