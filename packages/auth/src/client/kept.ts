import type { Discovered } from './discover.js';
import type { Registration } from './identity.js';
import type { Tokens } from './tokens.js';

/** The version of what is kept. */
export const schema = 1;

/** What is kept of a server, as JSON. */
export interface Kept {
  readonly schema: typeof schema;
  readonly issuer: string;
  readonly registration: Registration;
  readonly tokens?: Tokens;
  readonly discovered: Discovered;
}
