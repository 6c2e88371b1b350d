import type { PendingCall } from '../../peer/calls.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { Peer } from '../../peer/peer.js';
import { notification } from '../../peer/writer.js';

/**
 * Cancels a request at the server. Never for `initialize`.
 * @see Spec 2025-11-25 basic/utilities/cancellation
 */
export function cancelCall(peer: Peer, call: PendingCall, reason: string): void {
  if (call.method === 'initialize') return;
  const message = notification('notifications/cancelled', { requestId: call.id, reason });
  void peer.writer.send(message, call.lane === undefined ? undefined : { lane: call.lane });
  if (call.lane !== undefined) peer.connection.endLane(call.lane);
}

/** Does nothing: in this era a closed stream does not cancel its request, and its messages may be resumed. */
export function laneClosed(_exchange: PendingExchange): void {
  return;
}
