import { RxmcpError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { PendingCall } from '../../peer/calls.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { Peer } from '../../peer/peer.js';
import { notification } from '../../peer/writer.js';

/** Cancels a request: by closing its lane, or on a shared pipe by a notification. */
export function cancelCall(peer: Peer, call: PendingCall, reason: string): void {
  if (call.lane !== undefined) {
    peer.connection.endLane(call.lane);
    return;
  }
  void peer.writer.send(notification('notifications/cancelled', { requestId: call.id, reason }));
}

/**
 * Cancels the request of a stream that closed.
 * @see Spec 2026-07-28 basic/patterns/cancellation
 */
export function laneClosed(exchange: PendingExchange): void {
  exchange.cancel(
    new RxmcpError('CANCELLED', `the caller of ${quoted(exchange.method)} closed its stream`, {
      outcome: 'unknown',
    }),
  );
}
