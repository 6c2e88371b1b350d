export { httpHandler, type HttpHandler } from './server/node/serve-http.js';
export type { NodeRequest } from '@rxmcp/transport/node/internal';
export { serveHttp, type HttpServeHandle, type ServeHttpOptions } from './server/node/serve-http.js';
export type { HttpHandlerOptions } from './server/options.js';
export {
  memoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type EventReplay,
  type StoredEvent,
} from './server/streams/event-store.js';
