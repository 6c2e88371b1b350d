export type {
  EventSourceConstructor,
  EventSourceLike,
  SseOptions,
  StreamReader,
  StreamResponse,
} from './client/options.js';
export { sse } from './client/sse.js';
export type { Fetch, HeadersSource } from '@rxmcp/transport';
