export type {
  EventSourceConstructor,
  EventSourceLike,
  Fetch,
  HeadersSource,
  SseOptions,
  StreamReader,
  StreamResponse,
} from './client/options.js';
export { sse } from './client/sse.js';
