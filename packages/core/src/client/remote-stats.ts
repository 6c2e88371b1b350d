import { lateLoop } from '../stats/late-loop.js';
import type { Health, RemoteStats } from '../stats/stats.js';
import { uncounted } from '../stats/stats.js';
import type { RemoteCore } from './remote-core.js';

/** The figures of a remote. */
export function remoteStats({ meter, session, status }: RemoteCore): RemoteStats {
  return {
    ...(meter?.counted() ?? uncounted),
    inFlight: session?.peer.calls.size ?? 0,
    feeds: status.value.state === 'open' ? status.value.feeds.open : 0,
  };
}

/** Whether a remote can make calls. */
export function remoteHealth({ meter, session, status }: RemoteCore): Health {
  const { value } = status;
  if (value.state !== 'open') return { healthy: false, reason: `the remote is ${value.state}` };
  const max = session?.peer.maxInFlight ?? Infinity;
  if ((session?.peer.calls.size ?? 0) >= max) {
    return { healthy: false, reason: `${max} calls are in flight, as many as may be` };
  }
  return lateLoop(meter?.counted().loopLagMs ?? 0) ?? { healthy: true };
}
