import { blankLines, mark, printable, RowBreaker } from '../printable.js';

/**
 * Quotes a text that arrives in pieces, as `quoted` and `rows` do with a whole one: each row gets the mark, and consecutive blank lines are shown
 * as their number.
 */
export class QuotedStream {
  /** The blank lines that were not written yet. */
  #blank = 0;
  /** The beginning of a line, while it has only white space. */
  #indent = '';
  /** The first half of a character, and a carriage return that may belong to a line break. */
  #held = '';
  #isOpen = false;
  readonly #breaker: RowBreaker;

  constructor(columnsOf: () => number) {
    this.#breaker = new RowBreaker(() => Math.max(columnsOf(), 20));
  }

  /** Returns what to write. */
  add(text: string): string {
    const whole = this.#held + text;
    const [kept = ''] = /[\r\ud800-\udbff]$/.exec(whole) ?? [];
    this.#held = kept;
    let out = '';
    for (const character of whole.slice(0, whole.length - kept.length).replaceAll('\r\n', '\n'))
      out += this.#next(character);
    return out;
  }

  /** Returns what ends the text. */
  end(): string {
    const rest = this.#held === '' ? '' : this.#next(this.#held);
    this.#held = '';
    return this.#isOpen ? `${rest}${this.#breaker.end()}\n` : rest;
  }

  #next(character: string): string {
    if (character === '\n') {
      const wasOpen = this.#isOpen;
      if (!wasOpen) this.#blank += 1;
      this.#isOpen = false;
      this.#indent = '';
      return wasOpen ? `${this.#breaker.end()}\n` : '';
    }
    if (this.#isOpen) return this.#put(character);
    if (/\s/.test(character)) {
      this.#indent += character;
      return '';
    }
    const blank = blankLines(this.#blank);
    const start = [...this.#indent, character];
    this.#blank = 0;
    this.#indent = '';
    this.#isOpen = true;
    this.#breaker.begin(mark.length);
    return `${blank}${mark}${start.map((one) => this.#put(one)).join('')}`;
  }

  #put(character: string): string {
    return Array.from(printable(character), (one) => this.#breaker.add(one)).join('');
  }
}
