import type { JsonObject } from '@rxmcp/jsonrpc';
import { isThenable } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { NotificationOffer } from '../contract/offer.js';

/** Calls the handler of a notification. An error that it throws, or rejects with, becomes a fault. Returns what to wait for. */
export function handleNotification(
  offer: NotificationOffer,
  params: JsonObject,
  from: Caller,
  host: { fault(fault: Fault): void },
): PromiseLike<void> | undefined {
  const failed = (cause: unknown): void =>
    host.fault({
      code: 'HANDLER_FAILED',
      message: `the handler of ${quoted(offer.method)} failed`,
      cause,
    });
  try {
    const returned = offer.handle(params, from);
    // No one else handles the promise: an unhandled rejection would end the process, and a peer could cause it.
    if (isThenable(returned)) return returned.then(undefined, failed);
  } catch (cause) {
    failed(cause);
  }
  return undefined;
}
