import { blankLines, mark, printable, widthOf } from '../printable.js';

/**
 * Quotes a text that arrives in pieces, as `quoted` and `rows` do with a whole one: each row gets the mark, and consecutive blank lines are shown
 * as their number.
 */
export class QuotedStream {
  private used = 0;
  /** The blank lines that were not written yet. */
  private blank = 0;
  /** The beginning of a line, while it has only white space. */
  private indent = '';
  /** The first half of a character, and a carriage return that may belong to a line break. */
  private held = '';
  private isOpen = false;

  constructor(private readonly columnsOf: () => number) {}

  /** Returns what to write. */
  add(text: string): string {
    const whole = this.held + text;
    const [kept = ''] = /[\r\ud800-\udbff]$/.exec(whole) ?? [];
    this.held = kept;
    let out = '';
    for (const character of whole.slice(0, whole.length - kept.length).replaceAll('\r\n', '\n'))
      out += this.next(character);
    return out;
  }

  /** Returns what ends the text. */
  end(): string {
    const rest = this.held === '' ? '' : this.next(this.held);
    this.held = '';
    return this.isOpen ? `${rest}\n` : rest;
  }

  private next(character: string): string {
    if (character === '\n') {
      const wasOpen = this.isOpen;
      if (!wasOpen) this.blank += 1;
      this.isOpen = false;
      this.indent = '';
      return wasOpen ? '\n' : '';
    }
    if (this.isOpen) return this.put(character);
    if (/\s/.test(character)) {
      this.indent += character;
      return '';
    }
    const blank = blankLines(this.blank);
    const start = [...this.indent, character];
    this.blank = 0;
    this.indent = '';
    this.isOpen = true;
    this.used = mark.length;
    return `${blank}${mark}${start.map((one) => this.put(one)).join('')}`;
  }

  private put(character: string): string {
    const columns = Math.max(this.columnsOf(), 20);
    let out = '';
    for (const one of printable(character)) {
      const width = widthOf(one);
      const breaks = this.used + width > columns;
      this.used = (breaks ? mark.length : this.used) + width;
      out += breaks ? `\n${mark}${one}` : one;
    }
    return out;
  }
}
