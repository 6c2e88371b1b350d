export { bearer, type BearerCaller } from './guard/bearer.js';
export {
  forwardedAddress,
  type ClientAddress,
  type ForwardedAddressOptions,
} from './guard/client-address.js';
export type { CallerIdentity } from './credentials/caller-identity.js';
export { cors, type CorsOptions, type CorsPolicy } from './guard/cors.js';
export {
  guard,
  type AuthenticationResult,
  type Authenticator,
  type Guard,
  type GuardAllowed,
  type GuardDenied,
  type GuardOptions,
  type IncomingRequestOptions,
} from './guard/guard.js';
export type { RequestHead } from './guard/host-and-origin.js';
