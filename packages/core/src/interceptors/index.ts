export type { ExchangeEvent, ExchangeFacts, Intercepted, Interceptor, Next } from './interceptor.js';
export { withMeta } from './with-meta.js';
