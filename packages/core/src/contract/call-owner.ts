import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import type { Context } from './context.js';
import type { CallOptions } from './remote.js';

const ownerKey = Symbol('rxmcp.owner');

/** What an ask of the server during a call is relayed to. */
export interface CallOwner {
  /** The name under which the result is charged while it arrives. @default that of the connection */
  readonly holder?: string | undefined;
  /** Returns those of the client's own capabilities that the call declares, where each request declares them. @default all */
  declared?(own: JsonObject): JsonObject;
}

/** Sets in the options of a call its owner. */
export function setOwner(options: CallOptions, owner: CallOwner): void {
  (options as { [ownerKey]?: CallOwner })[ownerKey] = owner;
}

/** Returns the owner in the options of a call. */
export function ownerOf(options: CallOptions | undefined): CallOwner | undefined {
  return (options as { readonly [ownerKey]?: CallOwner } | undefined)?.[ownerKey];
}

/** Where a client handles asks. */
export interface AskHost {
  /** Returns the owners of the calls on a lane, or of all, that may have caused an ask. */
  callOwners(lane: Lane | undefined): readonly (object | undefined)[];
}

/**
 * Returns the owners of the calls that may have caused the ask that a client handles; undefined for a call without owner. There is
 * more than one if the ask names no call, as on a shared pipe in the legacy era.
 */
export function callOwners(ctx: Context): readonly (object | undefined)[] {
  const { host, lane } = ctx as Context & { readonly host?: Partial<AskHost>; readonly lane?: Lane };
  return host?.callOwners?.(lane) ?? [];
}
