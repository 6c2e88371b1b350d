import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { oneLine, printable, rows } from './printable.js';

/** Input that was typed ahead is complete after a pause of this length, in milliseconds. */
const pauseMs = 50;
/** A line that comes this soon after a question that follows a withdrawn one is for the withdrawn one, in milliseconds. */
const graceMs = 1_000;

/** The terminal, with or without a person who answers. */
export class Terminal {
  private lines: Interface | undefined = undefined;
  private readonly waiting: string[] = [];
  private wanted: ((line: string | undefined) => void) | undefined = undefined;
  /** Whether the last question was withdrawn: an answer to it may still come. */
  private withdrawn = false;
  private ended = false;
  private last: Promise<unknown> = Promise.resolve();

  /** @param asks - whether a person is present who answers */
  constructor(
    private readonly input: Readable & { readonly isTTY?: boolean },
    private readonly output: Writable & { readonly columns?: number },
    readonly asks: boolean,
  ) {}

  /** Writes one line for events, faults and errors; a too long line is cut. */
  readonly tell = (text: string): void => this.write(`${oneLine(text)}\n`);

  /** Writes one or several lines uncut: what a person must see before they answer. */
  readonly say = (text: string): void => this.write(`${printable(text)}\n`);

  /**
   * Asks for one line that decides something. Resolves with undefined at the end of input, and, after a message, when the signal
   * aborts. Lines that were typed at a terminal before the question was shown are dropped; other input may be sent ahead. If the
   * previous question was withdrawn, lines since then and within one second are dropped with a message.
   */
  async ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    const isNext = this.withdrawn;
    if (this.input.isTTY === true) await this.silence();
    else if (isNext) this.waiting.length = 0;
    this.withdrawn = false;
    const from = isNext ? performance.now() + graceMs : 0;
    for (;;) {
      const line = await this.line(question, signal);
      if (line === undefined || performance.now() >= from) return line;
      this.tell('the line came too soon to be an answer to this question and was dropped');
    }
  }

  /** Reads one line of a longer input, which may have been typed ahead; undefined as for {@link ask}. */
  line(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(this.withdraw());
    this.write(printable(prompt));
    this.open();
    const line = this.waiting.shift();
    if (line !== undefined || this.ended) return Promise.resolve(line);
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.output.write('\n');
        this.answer(this.withdraw());
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.wanted = (answer) => {
        signal.removeEventListener('abort', withdraw);
        resolve(answer);
      };
    });
  }

  /** Runs conversations one after the other, in the order of the calls. */
  talk<T>(conversation: () => Promise<T>): Promise<T> {
    const next = this.last.then(conversation);
    this.last = next.catch(() => undefined);
    return next;
  }

  /** Stops reading. A pending question gets the end of input. */
  close(): void {
    this.ended = true;
    this.lines?.close();
    this.input.destroy();
  }

  private write(text: string): void {
    const { columns = 0 } = this.output;
    // Some terminals do not know how wide they are.
    this.output.write(columns === 0 ? text : rows(text, Math.max(columns, 20)));
  }

  /** Drops all input, until a pause without input. */
  private async silence(): Promise<void> {
    this.open();
    do {
      this.waiting.length = 0;
      // Input that arrived while the program was busy is read between the two.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), pauseMs));
    } while (this.waiting.length > 0);
  }

  // Opened with the first question: without questions, standard input is not read.
  private open(): void {
    // Another reader of standard input may have paused it.
    if (this.lines !== undefined) this.input.resume();
    if (this.lines !== undefined || this.ended) return;
    this.lines = createInterface({ input: this.input, terminal: false });
    this.lines.on('line', (line) => {
      if (this.wanted === undefined) this.waiting.push(line);
      else this.answer(line);
    });
    this.lines.on('close', () => {
      this.ended = true;
      this.answer(undefined);
    });
  }

  private withdraw(): undefined {
    this.withdrawn = true;
    this.tell('the question was withdrawn');
  }

  private answer(line: string | undefined): void {
    const { wanted } = this;
    this.wanted = undefined;
    wanted?.(line);
  }
}
