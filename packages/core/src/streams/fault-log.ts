import type { Observable } from 'rxjs';
import { setUnrefTimeout } from '@rxmcp/transport/internal';
import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hot } from './hot.js';

/** How many faults are replayed to later subscribers. */
const maxKept = 16;
/** How many causes of an error are looked at. */
const maxCauses = 8;

/**
 * Collects faults for subscribers. A fault without a subscriber is printed with `console.warn`, once per code,
 * unless it is quiet.
 */
export class FaultLog {
  readonly #source = hot<Fault>(maxKept);
  /** The latest faults whose stacks are not formatted yet. */
  #recent: Fault[] = [];
  readonly #warned = new Set<string>();

  /**
   * @param owner - named in the warning
   * @param describe - returns the key under which a fault is printed once, and the end of the warning
   */
  constructor(
    private readonly owner: string,
    private readonly describe: (
      fault: Fault,
      printed: number,
    ) => readonly [key: string, note: string] = byCode,
  ) {}

  /** Emits the faults. @stream event, replays the last 16 */
  get stream(): Observable<Fault> {
    return this.#source.stream;
  }

  add(fault: Fault): void {
    const watched = this.#source.observed;
    this.#source.emit(fault);
    this.#keep(fault);
    if (watched || fault.quiet === true) return;
    const [key, note] = this.describe(fault, this.#warned.size);
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    console.warn(`rxmcp ${this.owner}: ${fault.code}: ${singleLine(fault.message, 2_048)} ${note}`);
  }

  /** Formats only stacks of faults that are still kept after a flood of them. */
  #keep(fault: Fault): void {
    // Not in a microtask: thousands of connections may be lost in one turn of the event loop.
    if (this.#recent.length === 0)
      setUnrefTimeout(() => {
        for (const { cause } of this.#recent.splice(0)) formatStacks(cause);
      }, 0);
    if (this.#recent.push(fault) > maxKept) this.#recent.shift();
  }

  complete(): void {
    this.#source.complete();
  }
}

/** V8 keeps everything that an unformatted stack refers to, such as a connection with its buffers, as long as the error is kept. */
function formatStacks(cause: unknown): void {
  let error = cause;
  for (let depth = 0; error instanceof Error && depth < maxCauses; depth += 1) {
    void error.stack;
    error = error.cause;
  }
}

/** Prints a fault once per code. */
export function byCode({ code }: Fault): readonly [key: string, note: string] {
  return [code, '(watch faults$ to see all of this code)'];
}
