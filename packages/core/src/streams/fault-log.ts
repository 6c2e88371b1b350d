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

  /** @param owner - named in the warning */
  constructor(private readonly owner: string) {}

  /** Emits the faults. @stream event, replays the last 16 */
  get stream(): Observable<Fault> {
    return this.#source.stream;
  }

  add(fault: Fault): void {
    const watched = this.#source.observed;
    this.#source.emit(fault);
    if (watched || fault.quiet === true || this.#warned.has(fault.code)) return;
    this.#warned.add(fault.code);
    // Text from a peer must not control a terminal.
    const text = singleLine(fault.message, 2_048);
    const more = `watch faults$ to see all of this code`;
    console.warn(`rxmcp ${this.owner}: ${fault.code}: ${text} (${more})`);
  }

  complete(): void {
    this.#source.complete();
  }
}
