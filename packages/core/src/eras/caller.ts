import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Traits } from '@rxmcp/transport';
import type { Caller, Implementation } from '../contract/context.js';

/** Returns the caller of a message: as the transport authenticated the message, otherwise as it authenticated the connection. */
export function callerOf(
  traits: Traits,
  receiveInfo: ReceiveInfo | undefined,
  capabilities: JsonObject,
  info?: Implementation,
): Caller {
  const { principal, claims, scopes } = receiveInfo?.principal === undefined ? traits : receiveInfo;
  return { principal, claims, scopes, info, capabilities };
}

/** Returns the caller of a handshake as this message was authenticated: the token may be another one, of the same principal. */
export function callerInSession(caller: Caller, receiveInfo: ReceiveInfo | undefined): Caller {
  if (receiveInfo?.principal === undefined) return caller;
  const { claims, scopes } = receiveInfo;
  if (claims === caller.claims && scopes === caller.scopes) return caller;
  return { ...caller, claims, scopes };
}

/** Returns the caller of a message that claims nothing itself, such as a notification. */
export function senderOf(
  { legacy, traits }: { readonly legacy: { readonly caller: Caller } | undefined; readonly traits: Traits },
  receiveInfo: ReceiveInfo | undefined,
): Caller {
  return legacy === undefined
    ? callerOf(traits, receiveInfo, {})
    : callerInSession(legacy.caller, receiveInfo);
}
