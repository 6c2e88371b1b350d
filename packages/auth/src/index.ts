export { AuthError, type AuthErrorCode } from './client/errors.js';
export { type Auth, oauth } from './client/oauth.js';
export type {
  ClientMetadata,
  Grant,
  KnownClient,
  OAuthOptions,
  Redirect,
  RedirectSession,
  SignInOptions,
} from './client/options.js';
export type { AuthStatus } from './client/status.js';
export type { Fetch } from '@rxmcp/transport';
export { type AuthStore, memoryStore, webStore } from './client/store.js';
