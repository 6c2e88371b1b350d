import { lateLoop } from '../stats/late-loop.js';
import type { Health, Meter, ServerStats } from '../stats/stats.js';
import { uncounted } from '../stats/stats.js';
import type { Serving } from './serving.js';

/** The figures of a server. */
export function serverStats(meter: Meter | undefined, servings: Iterable<Serving>): ServerStats {
  const sums = { connections: 0, inFlight: 0, queued: 0, subscriptions: 0, watches: 0 };
  for (const serving of servings) {
    sums.connections += 1;
    sums.inFlight += serving.inFlight.size;
    sums.queued += serving.admission.queued;
    sums.subscriptions += serving.subscriptions;
    sums.watches += serving.watches.size;
  }
  return { ...(meter?.counted() ?? uncounted), ...sums };
}

/** Whether a server can serve. One peer that asks for too much by itself does not make it ill. */
export function serverHealth(meter: Meter | undefined, servings: Iterable<Serving>): Health {
  for (const { draining, traits, admission, limits } of servings) {
    if (draining) return { healthy: false, reason: 'the server is draining' };
    if (traits.idScope === 'lane' && admission.queued > limits.maxQueued / 2) {
      return { healthy: false, reason: `${admission.queued} requests wait for a place` };
    }
  }
  return lateLoop(meter?.counted().loopLagMs ?? 0) ?? { healthy: true };
}
