import type { Writable } from 'node:stream';
import { hasColors } from './colors.js';
import { jsonLine } from '../printable.js';
import { Page } from './page.js';

/** Standard output: JSON lines, or text for a person at a terminal. */
export class Output {
  /** Where text for a person is composed. */
  readonly page: Page;

  /** @param isShown - whether values are shown to a person, instead of as JSON lines */
  constructor(
    private readonly stream: Writable & { readonly columns?: number; readonly isTTY?: boolean },
    readonly isShown: boolean,
    env: NodeJS.ProcessEnv,
  ) {
    this.page = new Page(isShown && hasColors(stream, env), () => stream.columns ?? 0);
  }

  /** Writes a value: one JSON line, or the text that `show` makes of it. Text without `show` is indented JSON. */
  print(value: unknown, show?: (page: Page) => string): void {
    if (!this.isShown) this.stream.write(jsonLine(value));
    else if (show === undefined) this.stream.write(`${this.page.json(value)}\n`);
    else this.write(show(this.page));
  }

  /** Writes text for a person; nothing where output is JSON. Text of a server in it went through {@link Page}. */
  write(text: string): void {
    if (this.isShown && text !== '') this.stream.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}
