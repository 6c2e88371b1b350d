import type { Observable } from 'rxjs';
import type { Fault } from './faults.js';
import { hot } from './streams/hot.js';

/** Collects faults for whoever watches. One that nobody watches goes to `console.warn`, once per code. */
export class FaultLog {
  private readonly source = hot<Fault>(16);
  private readonly warned = new Set<string>();

  /** @param owner - named in the warning */
  constructor(private readonly owner: string) {}

  /** @stream event, replays the last 16 */
  get stream(): Observable<Fault> {
    return this.source.stream;
  }

  add(fault: Fault): void {
    const watched = this.source.observed;
    this.source.emit(fault);
    if (watched || this.warned.has(fault.code)) return;
    this.warned.add(fault.code);
    const more = `watch faults$ to see all of this code`;
    console.warn(`rxmcp ${this.owner}: ${fault.code}: ${printable(fault.message)} (${more})`);
  }

  complete(): void {
    this.source.complete();
  }
}

// What a peer wrote must not steer a terminal.
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.slice(0, 2_048).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
