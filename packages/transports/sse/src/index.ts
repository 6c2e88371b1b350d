export type {
  EventSourceConstructor,
  EventSourceLike,
  Fetch,
  HeadersOption,
  SseOptions,
  StreamReader,
  StreamResponse,
} from './client/options.js';
export { sse } from './client/sse.js';
