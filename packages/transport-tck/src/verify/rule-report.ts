import type { Rule } from '../rules/rule.js';

/** Collects which rules passed and which were skipped. */
export class RuleReport {
  readonly #passed: Rule[] = [];
  readonly #skipped = new Map<string, string[]>();

  recordPassed(rule: Rule): void {
    this.#passed.push(rule);
  }

  recordSkipped(rule: Rule, reason: string): void {
    this.#skipped.set(reason, [...(this.#skipped.get(reason) ?? []), rule.id]);
  }

  /** One line for the rules that passed, and one line for each reason why others were skipped. */
  text(): string {
    const skipped = [...this.#skipped].map(([reason, ids]) => `not run, ${reason}: ${ids.join(', ')}`);
    return [`transport rules: ${String(this.#passed.length)} held`, ...skipped].join('\n  ');
  }
}
