import type { Rule } from '../laws/law.js';

/** What became of the laws that were tried. */
export class RuleReport {
  readonly #held: Rule[] = [];
  readonly #notRun = new Map<string, string[]>();

  recordPassed(law: Rule): void {
    this.#held.push(law);
  }

  recordSkipped(law: Rule, reason: string): void {
    this.#notRun.set(reason, [...(this.#notRun.get(reason) ?? []), law.id]);
  }

  /** One line for the laws that held, one for each reason why others were not run. */
  text(): string {
    const skipped = [...this.#notRun].map(([reason, ids]) => `not run, ${reason}: ${ids.join(', ')}`);
    return [`transport laws: ${String(this.#held.length)} held`, ...skipped].join('\n  ');
  }
}
