import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { oneLine, printable } from './printable.js';

/** The person in front of the program, or nobody. */
export class Terminal {
  private lines: Interface | undefined = undefined;
  private readonly waiting: string[] = [];
  private wanted: ((line: string | undefined) => void) | undefined = undefined;
  /** Whether the last question was withdrawn: what comes before the next one answers none. */
  private withdrawn = false;
  private ended = false;
  private last: Promise<unknown> = Promise.resolve();

  /** @param asks - whether there is somebody who answers */
  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    readonly asks: boolean,
  ) {}

  /** Writes one line, which is cut where it is too long: what happens meanwhile, faults, errors. */
  readonly tell = (text: string): void => {
    this.output.write(`${oneLine(text)}\n`);
  };

  /** Writes a line, or several, whole: what a person has to see before they answer. */
  readonly say = (text: string): void => {
    this.output.write(`${printable(text)}\n`);
  };

  /**
   * Asks for one line, which may have been sent ahead; undefined at the end of input, and when the signal aborts. That is told, and
   * an answer that comes too late is not taken for one to the next question.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    this.output.write(printable(question));
    this.withdrawn = false;
    this.open();
    const line = this.waiting.shift();
    if (line !== undefined || this.ended) return Promise.resolve(line);
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.withdrawn = true;
        this.output.write('\n');
        this.tell('the question was withdrawn');
        this.answer(undefined);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.wanted = (answer) => {
        signal.removeEventListener('abort', withdraw);
        resolve(answer);
      };
    });
  }

  /** One conversation after the other, in the order in which they were begun. */
  talk<T>(conversation: () => Promise<T>): Promise<T> {
    const next = this.last.then(conversation);
    this.last = next.catch(() => undefined);
    return next;
  }

  /** Reads no more. Whoever waits for a line gets the end of input. */
  close(): void {
    this.ended = true;
    this.lines?.close();
    this.input.destroy();
  }

  // Opened with the first question: who is never asked keeps standard input.
  private open(): void {
    if (this.lines !== undefined || this.ended) return;
    this.lines = createInterface({ input: this.input, terminal: false });
    this.lines.on('line', (line) => {
      if (this.wanted !== undefined) this.answer(line);
      else if (!this.withdrawn) this.waiting.push(line);
    });
    this.lines.on('close', () => {
      this.ended = true;
      this.answer(undefined);
    });
  }

  private answer(line: string | undefined): void {
    const { wanted } = this;
    this.wanted = undefined;
    wanted?.(line);
  }
}
