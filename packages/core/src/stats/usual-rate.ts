import type { UnusualRateAlert } from '../contract/stats.js';

/** The number of seconds for learning, and of usual seconds that end an unusual period. */
const learnBeats = 30;
const calmBeats = 10;
/** The weight of one second in the usual rate, in usual and in unusual times. */
const weight = 0.05;
const unusualWeight = 0.01;

/** Learns a usual rate and reports when the current one differs. */
export class UsualRate {
  #usual = 0;
  #learnt = 0;
  /** The number of usual seconds that must still pass; 0 if the rate is usual. */
  #unusual = 0;

  /**
   * @param of - what is counted
   * @param factor - a rate this many times above the usual one is unusual
   * @param least - the least difference that counts, per second
   */
  constructor(
    private readonly of: UnusualRateAlert['metric'],
    private readonly factor: number,
    private readonly least: number,
  ) {}

  /** Handles the count since the last call. Returns an alert, once until the rate is usual again. */
  beat(count: number, sinceMs: number): UnusualRateAlert | undefined {
    const perSecond = (count * 1_000) / Math.max(1, sinceMs);
    const usualPerSecond = this.#usual;
    if (this.#learnt < learnBeats) {
      this.#learnt += 1;
      this.#usual += (perSecond - this.#usual) / this.#learnt;
      return undefined;
    }
    const odd = this.#isOdd(perSecond);
    this.#usual += (perSecond - this.#usual) * (odd ? unusualWeight : weight);
    const isNew = odd && this.#unusual === 0;
    if (odd) this.#unusual = calmBeats;
    else if (this.#unusual > 0) this.#unusual -= 1;
    return isNew ? { type: 'unusual-rate', metric: this.of, perSecond, usualPerSecond } : undefined;
  }

  #isOdd(perSecond: number): boolean {
    const { factor, least, of } = this;
    const usual = this.#usual;
    if (perSecond > usual * factor + least) return true;
    // Far fewer calls are unusual too, if there were enough to rule out chance. Fewer errors are fine.
    return of === 'calls' && usual > least && perSecond < usual / factor;
  }
}
