import { type Acceptor, timerMs } from '@rxmcp/transport';
import { Budget } from '@rxmcp/transport/guard';
import type { KeptCount } from './kept-streams.js';
import type { LaneContext } from './lane.js';
import type { HttpServeOptions } from './options.js';
import { Ring } from './ring.js';
import { type EventStore, type EventStoreOptions, memoryEventStore } from './store.js';
import { type Sweep, ticks } from './sweep.js';

/** What everything that is served under one URL shares. */
export interface Shared extends LaneContext {
  readonly acceptor: Acceptor;
  readonly store: EventStore | undefined;
  /** How many streams can be asked for again. */
  readonly kept: KeptCount;
}

const maxReplayLength = 64 * 1024 * 1024;

/** Fills in what the options leave open. */
export function sharedOf(acceptor: Acceptor, options: HttpServeOptions, sweep: Sweep): Shared {
  const { events = {}, pollMs } = options;
  if (pollMs !== undefined && !Number.isFinite(pollMs))
    throw new TypeError('"pollMs" has to be a finite number');
  const store = events === false || options.sessions === false ? undefined : storeOf(events);
  return {
    acceptor,
    bounds: {
      maxSessions: options.maxSessions ?? 10_000,
      maxMessageBytes: options.maxMessageBytes ?? 4 * 1024 * 1024,
      stallMs: timerMs(options.stallMs ?? 30_000),
      idleTicks: ticks(options.sessionIdleMs ?? 30 * 60_000),
      commitTicks: ticks(options.commitMs ?? 10_000),
      keepAliveTicks: ticks(options.keepAliveMs ?? 15_000),
      pollMs: store === undefined ? undefined : pollMs,
    },
    sweep,
    waiting: new Ring(),
    streams: new Ring(),
    store,
    replays: new Budget(maxReplayLength),
    kept: { streams: 0 },
  };
}

function storeOf(events: EventStore | EventStoreOptions): EventStore {
  return 'append' in events ? events : memoryEventStore(events);
}
