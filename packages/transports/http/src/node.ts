export { httpHandler, type HttpHandler } from './server/node/serve-http.js';
export type { NodeRequest } from '@rxmcp/transport/node';
export { serveHttp, type HttpServeHandle, type ServeHttpOptions } from './server/node/serve-http.js';
export type { HttpServeOptions } from './server/options.js';
export {
  memoryEventStore,
  type EventStore,
  type EventStoreOptions,
  type Replay,
  type StoredEvent,
} from './server/store.js';
