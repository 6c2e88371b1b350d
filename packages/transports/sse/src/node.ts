export type { SseHandlerOptions } from './server/options.js';
export { serveSse, type ServeSseOptions, type SseServeHandle } from './server/serve-sse.js';
export { sseHandlers, type SseHandlers } from './server/sse-handlers.js';
