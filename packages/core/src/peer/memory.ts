import type { MemoryBudget, ReceiveInfo, Traits } from '@rxmcp/transport';
import { connectionHolder } from '@rxmcp/transport/internal';

/** What the requests of a connection are charged to. */
export interface MemoryHost {
  readonly memory: MemoryBudget;
  /** The name under which the connection itself is charged. */
  readonly holder: string;
}

/** A request that can be charged. */
interface ChargedRequest {
  readonly host: MemoryHost;
  readonly receiveInfo: ReceiveInfo | undefined;
  heldBytes: number;
}

/** Returns the name under which a connection is charged: that of its traits, or one of its own. */
export function holderOf({ holder }: Traits): string {
  return holder ?? connectionHolder();
}

/** Charges a request. Returns false if its caller, or all callers together, would hold too much. */
export function chargeRequest(request: ChargedRequest, heldBytes: number): boolean {
  const { host, receiveInfo } = request;
  if (heldBytes > 0 && !host.memory.tryCharge(receiveInfo?.holder ?? host.holder, heldBytes)) return false;
  request.heldBytes = heldBytes;
  return true;
}

/** Releases what was charged for a request. */
export function releaseRequest(request: ChargedRequest): void {
  const { host, receiveInfo, heldBytes } = request;
  request.heldBytes = 0;
  if (heldBytes > 0) host.memory.release(receiveInfo?.holder ?? host.holder, heldBytes);
}

/** Releases what was charged for a request once a promise has settled. */
export function releaseAfter(request: ChargedRequest, until: PromiseLike<unknown>): void {
  const { host, receiveInfo, heldBytes } = request;
  request.heldBytes = 0;
  const release = (): void => releaseRequest({ host, receiveInfo, heldBytes });
  until.then(release, release);
}
