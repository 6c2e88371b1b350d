import type { Writable } from 'node:stream';

/** A stream that may be a terminal. */
export type ScreenStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Rows are drawn at most once in this time, in milliseconds. */
const drawMs = 50;
const eraseBelow = '\u001b[J';

/**
 * Rows at the bottom of a terminal that are drawn again when they change. Other text is written above them. Elsewhere nothing is drawn.
 * Rows contain no line break and fit in the terminal; text of a server in them is escaped.
 */
export class LiveRows {
  /** Whether rows are drawn. */
  readonly isShown: boolean;
  readonly #parts = new Map<string, readonly string[]>();
  /** The rows that are on the screen. */
  #drawn = 0;
  #hidden = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: ScreenStream,
    env: NodeJS.ProcessEnv,
  ) {
    this.isShown = stream.isTTY === true && env['TERM'] !== 'dumb';
  }

  /** Shows rows under a key, in the place of its earlier ones. */
  set(key: string, rows: readonly string[]): void {
    if (!this.isShown) return;
    this.#parts.set(key, rows);
    this.#timer ??= setTimeout(() => this.#draw(), this.#drawn === 0 ? 0 : drawMs).unref();
  }

  /** Removes the rows of a key. */
  remove(key: string): void {
    if (!this.#parts.delete(key)) return;
    this.#draw();
  }

  /** Leaves the rows of a key on the screen, above the others. */
  leave(key: string): void {
    const rows = this.#parts.get(key);
    if (rows === undefined) return;
    this.#parts.delete(key);
    this.above(() => this.stream.write(rows.map((row) => `${row}\n`).join('')));
  }

  /** Runs `write`, which writes whole lines to the same terminal. */
  above(write: () => void): void {
    this.#erase();
    write();
    this.#draw();
  }

  /** Draws no rows until {@link show}: a person types, or a line is written in pieces. */
  hide(): void {
    this.#hidden = true;
    this.#erase();
  }

  show(): void {
    this.#hidden = false;
    this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { rows: height = 24 } = this.stream;
    this.#erase();
    if (this.#hidden || this.#parts.size === 0) return;
    // Rows that are scrolled away could not be erased.
    const rows = [...this.#parts.values()].flat().slice(0, Math.max(height - 1, 1));
    this.stream.write(rows.map((row) => `${row}\n`).join(''));
    this.#drawn = rows.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.stream.write(`\u001b[${this.#drawn}A${eraseBelow}`);
    this.#drawn = 0;
  }
}
