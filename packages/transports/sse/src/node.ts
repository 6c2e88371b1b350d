export type { SseServerOptions } from './server/options.js';
export { serveSse, type ServeSseOptions, type SseHandle } from './server/serve-sse.js';
export { sseHandlers, type SseHandlers } from './server/sse-handlers.js';
