import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { byCode } from '../streams/fault-log.js';

/** How many different failures of handlers are printed; after that one more of each code. */
const maxPrinted = 256;

/**
 * Describes a fault for the log: a handler that failed is printed once per message, with its reference
 * and its stack, and one that repeats itself before an ask once per message.
 */
export function describeFault(fault: Fault, printed: number): readonly [key: string, note: string] {
  const { code, message, reference, cause } = fault;
  if (code === 'REPEATED_BEFORE_ASK' && printed < maxPrinted) return [`${code} ${message}`, byCode(fault)[1]];
  if (reference === undefined) return byCode(fault);
  const note = `(reference ${reference}; the client reads only the reference without exposeErrors: true)`;
  return [printed < maxPrinted ? `${code} ${message}` : code, note + stackOf(cause)];
}

// The lines below the message. Text from a peer must not control a terminal.
function stackOf(cause: unknown): string {
  const stack = cause instanceof Error ? cause.stack : undefined;
  const lines = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return lines.map((line) => `\n${singleLine(line, 400)}`).join('');
}
