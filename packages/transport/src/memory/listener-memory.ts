import type { ConnectionHandler } from '../contract/contract.js';
import { MemoryBudget, processMemory } from './memory-budget.js';

/** Creates the budget of a listener for what has not arrived in full. One holder has room for at least one message. */
export function listenerMemory(
  { memory = processMemory() }: ConnectionHandler,
  maxBufferedBytes: number,
  maxMessageBytes: number,
): MemoryBudget {
  const maxBytes = Math.max(maxBufferedBytes, maxMessageBytes);
  return new MemoryBudget({ maxBytes, maxShare: Math.max(0.5, maxMessageBytes / maxBytes), parent: memory });
}
