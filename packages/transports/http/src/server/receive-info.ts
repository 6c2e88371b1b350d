import type { ReceiveInfo } from '@rxmcp/transport';
import type { CallerIdentity } from '@rxmcp/transport/guard';
import type { HttpExchange } from '@rxmcp/transport/internal';
import type { Session } from './connections/session.js';
import { assumedVersion } from './revisions.js';

/** The receive info of a message, while it is being built. */
export type Arriving = { -readonly [Member in keyof ReceiveInfo]: ReceiveInfo[Member] };

/** Returns the receive info of a message of a session. */
export function arrivalIn({ version }: Session, { caller }: HttpExchange): Arriving {
  const info: Arriving = {};
  if (version !== undefined) info.version = version;
  if (caller !== undefined) addCaller(info, caller);
  return info;
}

/** Returns the receive info of a message of the legacy era without a session. */
export function legacyArrival(exchange: HttpExchange): Arriving {
  const info: Arriving = { version: exchange.header('mcp-protocol-version') ?? assumedVersion };
  if (exchange.caller !== undefined) addCaller(info, exchange.caller);
  return info;
}

/** Adds who sent the message. */
export function addCaller(info: Arriving, { principal, claims, scopes }: CallerIdentity): void {
  info.principal = principal;
  if (claims !== undefined) info.claims = claims;
  if (scopes !== undefined) info.scopes = scopes;
}
