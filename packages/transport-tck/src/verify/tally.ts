import type { Law } from '../laws/law.js';

/** What became of the laws that were tried. */
export class Tally {
  readonly #held: Law[] = [];
  readonly #notRun = new Map<string, string[]>();

  held(law: Law): void {
    this.#held.push(law);
  }

  notRun(law: Law, reason: string): void {
    this.#notRun.set(reason, [...(this.#notRun.get(reason) ?? []), law.id]);
  }

  /** One line for the laws that held, one for each reason why others were not run. */
  text(): string {
    const skipped = [...this.#notRun].map(([reason, ids]) => `not run, ${reason}: ${ids.join(', ')}`);
    return [`transport laws: ${String(this.#held.length)} held`, ...skipped].join('\n  ');
  }
}
