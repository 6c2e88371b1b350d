import { styleText } from 'node:util';
import {
  cutMiddle,
  cutRow,
  inline,
  jsonLine,
  padRow,
  printable,
  quoted,
  rows,
  unsafeInJson,
} from '../printable.js';
import type { Media } from './media.js';

type Format = Parameters<typeof styleText>[0];

/** Composes text for a person. Its functions escape what they are given, so that text of a server cannot control the terminal. */
export class Page {
  constructor(
    private readonly hasColors: boolean,
    private readonly widthOf: () => number,
    /** Shows pictures, or saves them. */
    readonly media: Media,
  ) {}

  /** The columns of the terminal; 80 where they are not known. */
  get columns(): number {
    return Math.max(this.widthOf() || 80, 20);
  }

  /** Text on one line, in a style, after so many columns. The rows that it continues in have the mark. */
  line(text: string, format?: Format, used = 0): string {
    return this.styled(rows(printable(inline(text)), this.columns, used), format);
  }

  /** Text on one row of at most so many columns. */
  row(text: string, columns: number): string {
    return cutRow(printable(text.replace(/\s+/g, ' ')), columns);
  }

  /** Text on one row, such as a URI, without its middle if it has more than so many columns. */
  name(text: string, columns: number): string {
    return cutMiddle(printable(text.replace(/\s+/g, ' ')), columns);
  }

  /** Adds spaces to a row. */
  padded(text: string, columns: number): string {
    return padRow(text, columns);
  }

  /** Text of several lines, indented by a mark that no line of the program itself has. */
  quote(text: string): string {
    return rows(printable(quoted(text)), this.columns);
  }

  /** Indented JSON. */
  json(value: unknown): string {
    const text = JSON.stringify(JSON.parse(jsonLine(value)), null, 2).replace(unsafeInJson, printable);
    return rows(text, this.columns);
  }

  /** Adds a style to text of the program, which is not escaped. */
  styled(text: string, format?: Format): string {
    if (!this.hasColors || format === undefined) return text;
    return styleText(format, text, { validateStream: false });
  }
}
