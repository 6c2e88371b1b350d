import { type ConnectionHandler, processMemory } from '@rxmcp/transport';
import { clampTimeout } from '@rxmcp/transport/internal';
import { StreamPlaces } from './streams/resumable-streams.js';
import type { LaneContext } from './lane.js';
import type { HttpHandlerOptions } from './options.js';
import { IntrusiveList } from './intrusive-list.js';
import { type EventStore, type MemoryEventStoreOptions, memoryEventStore } from './streams/event-store.js';
import { type Sweep, ticks } from './sweep.js';

/** What everything that is served under one URL shares. */
export interface EndpointContext extends LaneContext {
  readonly handler: ConnectionHandler;
  readonly store: EventStore | undefined;
  /** For the streams that can be asked for again. */
  readonly places: StreamPlaces;
}

/** Fills in what the options leave open. */
export function createEndpointContext(
  handler: ConnectionHandler,
  options: HttpHandlerOptions,
  sweep: Sweep,
): EndpointContext {
  const { eventStore = {}, pollIntervalMs } = options;
  if (pollIntervalMs !== undefined && !Number.isFinite(pollIntervalMs))
    throw new TypeError('"pollIntervalMs" must be a finite number');
  const store = eventStore === false || options.sessions === false ? undefined : storeOf(eventStore);
  const memory = handler.memory ?? processMemory();
  return {
    handler,
    memory,
    bounds: {
      maxSessions: options.maxSessions ?? 10_000,
      maxMessageBytes: options.maxMessageBytes ?? 4 * 1024 * 1024,
      writeTimeoutMs: clampTimeout(options.writeTimeoutMs ?? 30_000),
      idleTicks: ticks(options.sessionIdleTimeoutMs ?? 30 * 60_000),
      streamAfterTicks: ticks(options.streamAfterMs ?? 10_000),
      keepAliveTicks: ticks(options.keepAliveIntervalMs ?? 15_000),
      pollIntervalMs: store === undefined ? undefined : pollIntervalMs,
    },
    authenticate: options.authenticate,
    sweep,
    waiting: new IntrusiveList(),
    streams: new IntrusiveList(),
    store,
    places: new StreamPlaces(memory),
  };
}

function storeOf(events: EventStore | MemoryEventStoreOptions): EventStore {
  return 'append' in events ? events : memoryEventStore(events);
}
