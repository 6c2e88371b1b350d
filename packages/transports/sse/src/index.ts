export type {
  EventSourceConstructor,
  EventSourceLike,
  Fetch,
  SseOptions,
  StreamReader,
  StreamResponse,
} from './client/options.js';
export { sse } from './client/sse.js';
export type { HeadersSource } from '@rxmcp/transport';
