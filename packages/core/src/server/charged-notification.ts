import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { NotificationOffer } from '../contract/offer.js';
import { handleNotification } from '../offers/notification-handler.js';
import {
  budgetUsedUp,
  chargeRequest,
  type MemoryHost,
  releaseAfter,
  releaseRequest,
} from '../peer/memory.js';

/** What a notification takes besides its parameters while its handler runs, in bytes. */
const pendingBytes = 1_024;

/** Calls the handler of a notification, and charges the sender until the handler has settled. What does not fit is dropped, with a fault. */
export function handleCharged(
  offer: NotificationOffer,
  params: JsonObject,
  from: Caller,
  host: MemoryHost & { fault(fault: Fault): void },
  receiveInfo: ReceiveInfo | undefined,
): void {
  const charged = { host, receiveInfo, heldBytes: 0 };
  if (!chargeRequest(charged, pendingBytes + estimateMessageBytes(params))) {
    const message = `dropped ${quoted(offer.method)}: ${budgetUsedUp}. Let handlers of notifications settle sooner`;
    return host.fault({ code: 'NOTIFICATION_DROPPED', message });
  }
  const pending = handleNotification(offer, params, from, host);
  if (pending === undefined) releaseRequest(charged);
  else releaseAfter(charged, pending);
}
