import { OVERLOADED } from '@rxmcp/jsonrpc';
import type { MemoryBudget, ReceiveInfo, Traits } from '@rxmcp/transport';
import { connectionHolder } from '@rxmcp/transport/internal';
import { RpcError } from '../base/errors.js';

/** What the requests of a connection are charged to. */
export interface MemoryHost {
  readonly memory: MemoryBudget;
  /** The name under which the connection itself is charged. */
  readonly holder: string;
}

/** A request that can be charged. */
export interface ChargedRequest {
  readonly host: MemoryHost;
  readonly receiveInfo: ReceiveInfo | undefined;
  heldBytes: number;
}

/** Returns the name under which a connection is charged: that of its traits, or one of its own. */
export function holderOf({ holder }: Traits): string {
  return holder ?? connectionHolder();
}

/** Returns the name under which a request is charged: that of its caller, or of its connection. */
export function holderOfRequest({ host, receiveInfo }: Omit<ChargedRequest, 'heldBytes'>): string {
  return receiveInfo?.holder ?? host.holder;
}

/** Why a request is rejected that {@link chargeRequest} did not charge. */
export const budgetUsedUp = 'the memory budget, or the share of the caller, is used up';

/** Returns the error of a request that {@link chargeRequest} did not charge for what it received or results in. */
export function budgetUsedUpError(): RpcError {
  return new RpcError(OVERLOADED, budgetUsedUp, { retryAfterMs: 1_000 });
}

/** Charges a request, or charges it for more. Returns false if its caller, or all callers together, would hold too much. */
export function chargeRequest(request: ChargedRequest, heldBytes: number): boolean {
  if (heldBytes > 0 && !request.host.memory.tryCharge(holderOfRequest(request), heldBytes)) return false;
  request.heldBytes += heldBytes;
  return true;
}

/** Releases what was charged for a request. */
export function releaseRequest(request: ChargedRequest): void {
  const { heldBytes } = request;
  request.heldBytes = 0;
  if (heldBytes > 0) request.host.memory.release(holderOfRequest(request), heldBytes);
}

/** Takes over what was charged for a request, which may end before it is released. */
export function takeCharge(request: ChargedRequest): ChargedRequest {
  const { host, receiveInfo, heldBytes } = request;
  request.heldBytes = 0;
  return { host, receiveInfo, heldBytes };
}

/** Releases what was charged for a request once a promise has settled. */
export function releaseAfter(request: ChargedRequest, until: PromiseLike<unknown>): void {
  const kept = takeCharge(request);
  const release = (): void => releaseRequest(kept);
  until.then(release, release);
}
