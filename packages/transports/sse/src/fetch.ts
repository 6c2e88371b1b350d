export type { SseHandlerOptions } from './server/options.js';
export { sseFetchHandler, type SseFetchHandler } from './server/sse-fetch-handler.js';
