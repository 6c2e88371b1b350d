import { hasColors } from './colors.js';
import { jsonLine } from '../printable.js';
import type { LiveRows, ScreenStream } from './live-rows.js';
import { Media, pictureProtocol } from './media.js';
import { Page } from './page.js';

/** Standard output: JSON lines, or text for a person at a terminal. */
export class Output {
  /** Where text for a person is composed. */
  readonly page: Page;

  /**
   * @param isShown - whether values are shown to a person, instead of as JSON lines
   * @param live - the rows below what is written, if both are the same terminal
   */
  constructor(
    private readonly stream: ScreenStream,
    readonly isShown: boolean,
    env: NodeJS.ProcessEnv,
    private readonly live: LiveRows,
  ) {
    const media = new Media(isShown ? pictureProtocol(env) : undefined);
    this.page = new Page(isShown && hasColors(stream, env), () => stream.columns ?? 0, media);
  }

  /** Writes a value: one JSON line, or the text that `show` makes of it. Text without `show` is indented JSON. */
  print(value: unknown, show?: (page: Page) => string): void {
    if (!this.isShown) this.raw(jsonLine(value));
    else if (show === undefined) this.raw(`${this.page.json(value)}\n`);
    else this.write(show(this.page));
  }

  /** Writes text for a person; nothing where output is JSON. Text of a server in it went through {@link Page}. */
  write(text: string): void {
    if (this.isShown && text !== '') this.raw(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Writes text as it is, to a person or a program. */
  raw(text: string): void {
    if (this.stream.isTTY === true) this.live.above(() => this.stream.write(text));
    else this.stream.write(text);
  }
}
