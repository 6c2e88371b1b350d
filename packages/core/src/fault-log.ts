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

// What a peer wrote must not steer a terminal: control characters, and those that turn the direction of text.
function printable(text: string): string {
  return text.slice(0, 2_048).replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
