export { bearer } from './guard/bearer.js';
export { Budget } from './guard/pieces.js';
export { cors, type Cors, type CorsOptions } from './guard/cors.js';
export {
  guard,
  type Authenticate,
  type Authenticated,
  type Guard,
  type GuardOptions,
  type Passed,
  type Refused,
} from './guard/guard.js';
export { Pieces } from './guard/pieces.js';
export type { RequestHead } from './guard/names.js';
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
