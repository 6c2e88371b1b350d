export { http } from './client/http.js';
export type { Fetch, HttpOptions, HeadersSource } from './client/options.js';
