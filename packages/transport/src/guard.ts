export { bearer } from './guard/bearer.js';
export { cors, type CorsOptions, type CorsPolicy } from './guard/cors.js';
export {
  guard,
  type AuthenticationResult,
  type Authenticator,
  type Guard,
  type GuardAllowed,
  type GuardDenied,
  type GuardOptions,
} from './guard/guard.js';
export type { RequestHead } from './guard/host-and-origin.js';
