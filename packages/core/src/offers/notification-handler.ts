import type { JsonObject } from '@rxmcp/jsonrpc';
import { isThenable } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { NotificationOffer } from '../contract/offer.js';

/** Lets an offer hear a notification. What it throws, or rejects with later, becomes a fault. */
export function handleNotification(
  offer: NotificationOffer,
  params: JsonObject,
  from: Caller,
  host: { fault(fault: Fault): void },
): void {
  try {
    const heard = offer.handle(params, from);
    // Nobody else waits for it: a rejection without a handler would end the process, and a peer can bring it about.
    if (isThenable(heard)) heard.then(undefined, (cause: unknown) => host.fault(failed(offer, cause)));
  } catch (cause) {
    host.fault(failed(offer, cause));
  }
}

function failed({ method }: NotificationOffer, cause: unknown): Fault {
  return { code: 'HANDLER_FAILED', message: `the handler of ${quoted(method)} failed`, cause };
}
