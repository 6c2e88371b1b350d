export { http } from './client/http.js';
export type { Fetch, HttpOptions } from './client/options.js';
export type { HeadersSource } from '@rxmcp/transport';
