export { bearer } from './guard/bearer.js';
export { ByteBudget } from './guard/chunk-buffer.js';
export { cors, type CorsPolicy, type CorsOptions } from './guard/cors.js';
export {
  guard,
  type Authenticator,
  type AuthenticationResult,
  type Guard,
  type GuardOptions,
  type GuardAllowed,
  type GuardDenied,
} from './guard/guard.js';
export { ChunkBuffer } from './guard/chunk-buffer.js';
export type { RequestHead } from './guard/host-and-origin.js';
export { bare, busy, complain, eventStream, json, refuse, type Complaint } from './http/answers.js';
export type {
  BodyLimits,
  BodyProblem,
  BodyTaker,
  ExchangeOwner,
  Headers,
  HttpExchange,
} from './http/exchange.js';
export { isJson, isPlain, takesBoth, takesEvents } from './http/media.js';
export { WebExchange } from './http/web-exchange.js';
