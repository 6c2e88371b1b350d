export { http } from './client/http.js';
export type { Fetch, HttpOptions, RequestHeaders } from './client/options.js';
