import type { Discovered } from './discover.js';
import type { Registration } from './identity.js';
import type { Tokens } from './tokens.js';

/** The version of what is kept. */
export const schema = 1;

/** What is kept of an MCP server, as JSON. It is of use for this resource, at this issuer. */
export interface Kept {
  readonly schema: typeof schema;
  readonly issuer: string;
  readonly registration: Registration;
  readonly tokens?: Tokens;
  readonly discovered: Discovered;
}

/** Reads what is kept. What a later version wrote is not for this one. */
export function keptOf(text: string | undefined): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    return kept?.schema === schema ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}
