import type { Observable } from 'rxjs';
import { singleLine } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hot } from './hot.js';

/**
 * Collects faults for subscribers. A fault without a subscriber is printed with `console.warn`, once per code,
 * unless it is quiet.
 */
export class FaultLog {
  readonly #source = hot<Fault>(16);
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
    if (watched || fault.quiet === true) return;
    const [key, note] = this.describe(fault, this.#warned.size);
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    console.warn(`rxmcp ${this.owner}: ${fault.code}: ${singleLine(fault.message, 2_048)} (${note}`);
  }

  complete(): void {
    this.#source.complete();
  }
}

/** Prints a fault once per code. */
export function byCode({ code }: Fault): readonly [key: string, note: string] {
  return [code, 'watch faults$ to see all of this code)'];
}
