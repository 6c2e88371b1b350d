export { http } from './client/http.js';
export type { HttpOptions } from './client/options.js';
export type { Fetch, HeadersSource } from '@rxmcp/transport';
