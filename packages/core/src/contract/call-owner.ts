import type { Lane } from '@rxmcp/transport';
import type { Context } from './context.js';
import type { CallOptions } from './remote.js';

const ownerKey = Symbol('rxmcp.owner');

/** Sets in the options of a call its owner: what an ask of the server during this call is relayed to. */
export function setOwner(options: CallOptions, owner: object): void {
  (options as { [ownerKey]?: object })[ownerKey] = owner;
}

/** Returns the owner in the options of a call. */
export function ownerOf(options: CallOptions | undefined): object | undefined {
  return (options as { readonly [ownerKey]?: object } | undefined)?.[ownerKey];
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
