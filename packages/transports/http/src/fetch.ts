export type { HttpHandlerOptions } from './server/options.js';
export {
  memoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type EventReplay,
  type StoredEvent,
} from './server/streams/event-store.js';
export { fetchHandler, type FetchHandler } from './server/web/fetch-handler.js';
