export { httpHandler, type HttpHandler } from './server/node/http-handler.js';
export type { NodeRequest } from './server/node/read-body.js';
export { serveHttp, type HttpServeHandle, type ServeHttpOptions } from './server/node/serve-http.js';
export type { HttpServeOptions } from './server/options.js';
export {
  memoryEventStore,
  type EventStore,
  type EventStoreOptions,
  type Replay,
  type StoredEvent,
} from './server/store.js';
