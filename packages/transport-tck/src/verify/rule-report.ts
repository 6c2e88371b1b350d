import type { Rule } from '../rules/rule.js';

/** Collects which rules passed and which were skipped. */
export class RuleReport {
  readonly #passed: Rule[] = [];
  readonly #knownBroken: Rule[] = [];
  readonly #skipped = new Map<string, string[]>();

  recordPassed(rule: Rule): void {
    this.#passed.push(rule);
  }

  recordKnownBroken(rule: Rule): void {
    this.#knownBroken.push(rule);
  }

  recordSkipped(rule: Rule, reason: string): void {
    this.#skipped.set(reason, [...(this.#skipped.get(reason) ?? []), rule.id]);
  }

  /** One line for the rules that passed, and one line for each reason why others were skipped. */
  text(): string {
    const skipped = [...this.#skipped].map(([reason, ids]) => `not run, ${reason}: ${ids.join(', ')}`);
    const known = this.#knownBroken.map(({ id }) => id);
    const broken = known.length === 0 ? [] : [`known to be broken: ${known.join(', ')}`];
    return [`transport rules: ${String(this.#passed.length)} held`, ...broken, ...skipped].join('\n  ');
  }
}
