import type { UnusualRateAlert } from '../contract/stats.js';

/** So many beats are only listened to; so many as usual end what is unusual. */
const learnBeats = 30;
const calmBeats = 10;
/** What a beat weighs in what is usual, and while it is not usual. */
const weight = 0.05;
const unusualWeight = 0.01;

/** Knows how often something usually happens, and says so when it does not. */
export class UsualRate {
  private usual = 0;
  private learnt = 0;
  /** How many beats it still has to be as usual; 0 = it is. */
  private unusual = 0;

  /**
   * @param of - what happens
   * @param factor - how many times more is unusual
   * @param least - so much more, by the second, is at least what counts
   */
  constructor(
    private readonly of: UnusualRateAlert['metric'],
    private readonly factor: number,
    private readonly least: number,
  ) {}

  /** Takes what happened since the last beat; gives what is to be told, once until it is as usual again. */
  beat(count: number, sinceMs: number): UnusualRateAlert | undefined {
    const perSecond = (count * 1_000) / Math.max(1, sinceMs);
    const usualPerSecond = this.usual;
    if (this.learnt < learnBeats) {
      this.learnt += 1;
      this.usual += (perSecond - this.usual) / this.learnt;
      return undefined;
    }
    const odd = this.isOdd(perSecond);
    this.usual += (perSecond - this.usual) * (odd ? unusualWeight : weight);
    const isNew = odd && this.unusual === 0;
    if (odd) this.unusual = calmBeats;
    else if (this.unusual > 0) this.unusual -= 1;
    return isNew ? { type: 'unusual-rate', metric: this.of, perSecond, usualPerSecond } : undefined;
  }

  private isOdd(perSecond: number): boolean {
    const { usual, factor, least, of } = this;
    if (perSecond > usual * factor + least) return true;
    // Few calls are as telling as many, where there were enough for chance to be none; few errors are good.
    return of === 'calls' && usual > least && perSecond < usual / factor;
  }
}
