import type { PendingCall } from '../../peer/calls.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { Peer } from '../../peer/peer.js';
import { notification } from '../../peer/writer.js';

/** Takes a request of ours back. Never for `initialize`. Spec 2025-11-25 basic/utilities/cancellation. */
export function cancelCall(peer: Peer, call: PendingCall, reason: string): void {
  if (call.method === 'initialize') return;
  const message = notification('notifications/cancelled', { requestId: call.id, reason });
  void peer.writer.send(message, call.lane === undefined ? undefined : { lane: call.lane });
  if (call.lane !== undefined) peer.connection.endLane(call.lane);
}

/** A stream that closes is no cancellation in this era: the handler goes on, its messages may be resumed. */
export function laneClosed(_exchange: PendingExchange): void {
  return;
}
