import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { isThenable } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { NotificationOffer } from '../contract/offer.js';
import { budgetUsedUp, chargeRequest, type MemoryHost, releaseAfter, releaseRequest } from './memory.js';

/** The offers whose handlers have returned a promise. Only their notifications are charged, so that the others cost nothing. */
const asynchronous = new WeakSet<NotificationOffer>();

/**
 * Calls the handler of a notification, which is charged to its sender until the promise of the handler has settled. One that cannot
 * be charged is dropped with a fault. An error that the handler throws, or rejects with, becomes a fault.
 */
export function handleNotification(
  offer: NotificationOffer,
  params: JsonObject,
  from: Caller,
  host: MemoryHost & { fault(fault: Fault): void },
  receiveInfo?: ReceiveInfo,
): void {
  const charged = { host, receiveInfo, heldBytes: 0 };
  if (asynchronous.has(offer) && !chargeRequest(charged, estimateMessageBytes(params))) {
    const message = `dropped ${quoted(offer.method)}: ${budgetUsedUp}. Let handlers of notifications settle sooner`;
    return host.fault({ code: 'NOTIFICATION_DROPPED', message });
  }
  try {
    const returned = offer.handle(params, from);
    if (!isThenable(returned)) return releaseRequest(charged);
    asynchronous.add(offer);
    // No one else handles the promise: an unhandled rejection would end the process, and a peer could cause it.
    const settled = Promise.resolve(returned).catch((cause: unknown) => host.fault(failed(offer, cause)));
    releaseAfter(charged, settled);
  } catch (cause) {
    releaseRequest(charged);
    host.fault(failed(offer, cause));
  }
}

function failed({ method }: NotificationOffer, cause: unknown): Fault {
  return { code: 'HANDLER_FAILED', message: `the handler of ${quoted(method)} failed`, cause };
}
