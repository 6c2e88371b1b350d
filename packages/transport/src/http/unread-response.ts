import type { MemoryBudget } from '../memory/memory-budget.js';
import { UnreadOutput } from '../memory/unread-output.js';
import type { HttpExchange } from './exchange.js';

/** What fits into the buffers of the system needs no watching, which would cost a timer per request. */
const watchedBytes = 64 * 1024;

/** Returns what charges for the output of an exchange. The exchange releases it at its end. */
export function unreadOutputOf(exchange: HttpExchange, memory: MemoryBudget): UnreadOutput {
  return (exchange.unread ??= new UnreadOutput(memory, exchange.holder));
}

/**
 * Charges for what the client has not read of an exchange, in bytes. Returns false where the memory of the caller does not suffice. What is
 * sent after the end of the exchange, of which its owner is notified in a later turn, takes nothing.
 */
export function holdUnread(exchange: HttpExchange, memory: MemoryBudget, bytes: number): boolean {
  return exchange.isOver || unreadOutputOf(exchange, memory).hold(bytes);
}

/** Cuts an exchange whose response has ended when its client reads nothing of it for `writeTimeoutMs` milliseconds. */
export function watchUnreadResponse(exchange: HttpExchange, writeTimeoutMs: number): void {
  if (exchange.queuedBytes >= watchedBytes) exchange.stallsAfter(writeTimeoutMs);
}
