import type { Observable } from 'rxjs';
import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hot } from './hot.js';

/**
 * Collects faults for subscribers. A fault without a subscriber is printed with `console.warn`, once per code,
 * unless it is quiet; a handler that failed once per message, with its stack; a handler that repeats itself before an
 * ask once per message.
 */
export class FaultLog {
  readonly #source = hot<Fault>(16);
  readonly #warned = new Set<string>();

  /** @param owner - named in the warning */
  constructor(private readonly owner: string) {}

  /** Emits the faults. @stream event, replays the last 16 */
  get stream(): Observable<Fault> {
    return this.#source.stream;
  }

  add(fault: Fault): void {
    const watched = this.#source.observed;
    this.#source.emit(fault);
    if (watched || fault.quiet === true) return;
    const isHandler = fault.reference !== undefined;
    const isPerMessage = isHandler || fault.code === 'REPEATED_BEFORE_ASK';
    // A tool that fails in two ways is printed twice, but not each time.
    const key = isPerMessage && this.#warned.size < maxWarned ? `${fault.code} ${fault.message}` : fault.code;
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    const text = singleLine(fault.message, 2_048);
    const more = isHandler
      ? `reference ${fault.reference}; the client reads only the reference, unless the server has exposeErrors: true)${stackOf(fault.cause)}`
      : 'watch faults$ to see all of this code)';
    console.warn(`rxmcp ${this.owner}: ${fault.code}: ${text} (${more}`);
  }

  complete(): void {
    this.#source.complete();
  }
}

/** How many different failures of handlers are printed; after that one more of each code. */
const maxWarned = 256;

// The lines below the message. Text from a peer must not control a terminal.
function stackOf(cause: unknown): string {
  const stack = cause instanceof Error ? cause.stack : undefined;
  if (stack === undefined) return '';
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.map((line) => `\n${singleLine(line, 400)}`).join('');
}
