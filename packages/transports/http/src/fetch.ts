export type { HttpServeOptions } from './server/options.js';
export {
  memoryEventStore,
  type EventStore,
  type EventStoreOptions,
  type Replay,
  type StoredEvent,
} from './server/store.js';
export { fetchHandler, type FetchHandler } from './server/web/fetch-handler.js';
