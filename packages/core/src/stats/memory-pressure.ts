import type { MemoryBudget } from '@rxmcp/transport';

/** The part of the memory from which on a server is under pressure. */
const pressure = 0.8;

/** Whether so much of a budget is held that large requests may be rejected soon. */
export function isUnderPressure({
  heldBytes,
  maxBytes,
}: Pick<MemoryBudget, 'heldBytes' | 'maxBytes'>): boolean {
  return heldBytes > pressure * maxBytes;
}
