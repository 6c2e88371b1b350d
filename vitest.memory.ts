import { onTestFinished } from 'vitest';

/** A `MemoryBudget`, of whichever copy of its package. */
interface Budget {
  readonly maxBytes: number;
  readonly heldBytes: number;
  tryCharge(holder: string, bytes: number): boolean;
  release(holder: string, bytes: number): void;
}

/** Larger charges leave an eighth of a budget free. */
const smallBytes = 128 * 1024;

/** Charges others with all of a budget but so many bytes, until the end of the test. */
export function leaveMemory(memory: Budget, bytes: number): void {
  for (let count = 0; memory.heldBytes + bytes < memory.maxBytes; count += 1) {
    const holder = `other ${String(count % 4)}`;
    const some = Math.min(memory.maxBytes - bytes - memory.heldBytes, smallBytes);
    if (!memory.tryCharge(holder, some)) throw new Error(`"${holder}" cannot be charged`);
    onTestFinished(() => memory.release(holder, some));
  }
}
