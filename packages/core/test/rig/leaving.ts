import { processMemory } from '@rxmcp/transport';
import { expect } from 'vitest';

const kibibyte = 1024;

/** Leaves so many bytes of the budget of the process until the returned function is called. The last eighth takes small charges only. */
export function leaving(bytes: number): () => void {
  const budget = processMemory();
  const charges: (readonly [holder: string, bytes: number])[] = [];
  const charge = (most: number): void => {
    const holder = `the test ${String(charges.length)}`;
    const taken = Math.min(most, budget.maxBytes - budget.heldBytes - bytes);
    expect(budget.tryCharge(holder, taken)).toBe(true);
    charges.push([holder, taken]);
  };
  charge(Math.floor((budget.maxBytes * 7) / 8) - budget.heldBytes);
  while (budget.maxBytes - budget.heldBytes > bytes) charge(128 * kibibyte);
  return () => {
    for (const [holder, taken] of charges) budget.release(holder, taken);
  };
}
