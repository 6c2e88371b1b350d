import type { MemoryBudget } from '../memory/memory-budget.js';
import { UnreadOutput } from '../memory/unread-output.js';
import type { HttpExchange } from './exchange.js';

/** What fits into the buffers of the system needs no watching, which would cost a timer per request. */
const watchedBytes = 64 * 1024;

/** Returns what charges for the output of an exchange, and ends with it: what is sent until its owner is notified of the end takes nothing. */
export function unreadOutputOf(exchange: HttpExchange, memory: MemoryBudget): UnreadOutput {
  const unread = (exchange.unread ??= new UnreadOutput(memory, exchange.holder));
  if (exchange.isOver) unread.end();
  return unread;
}

/** Cuts an exchange whose response has ended when its client reads nothing of it for `writeTimeoutMs` milliseconds. */
export function watchUnreadResponse(exchange: HttpExchange, writeTimeoutMs: number): void {
  if (exchange.queuedBytes >= watchedBytes) exchange.stallsAfter(writeTimeoutMs);
}
