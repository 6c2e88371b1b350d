import process from 'node:process';
import { type AsyncCompleter, createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { LiveRows } from './output/live-rows.js';
import type { Page } from './output/page.js';
import { type Progress, progressRow, progressText } from './output/progress-row.js';
import { QuotedStream } from './output/quoted-stream.js';
import { oneLine, printable, rows } from './printable.js';

/** Input that was typed ahead is complete after a pause of this length, in milliseconds. */
const pauseMs = 50;
/** A line that comes this soon after a question that follows a withdrawn one is for the withdrawn one, in milliseconds. */
const graceMs = 1_000;
/** Lines of the progress of a call are at least so far apart, in milliseconds. */
const progressMs = 1_000;
/** Older lines cannot be repeated. */
export const maxHistory = 500;

/** What a {@link Terminal} has. */
export interface TerminalParts {
  /** Whether a person is present who answers. */
  readonly asks: boolean;
  /** The rows below what is written. */
  readonly live: LiveRows;
  /** Where rows are composed. */
  readonly page: Page;
}

/** Returns the completions of what is typed of a line, and the part of it that they replace. */
export type Complete = (line: string) => Promise<readonly [completions: readonly string[], part: string]>;

/** The terminal, with or without a person who answers. */
export class Terminal {
  #lines: Interface | undefined = undefined;
  /** Whether the person edits lines; then Ctrl-C is a key of the editor. */
  #isEditing = false;
  /** The edited lines that can be repeated, the latest first. */
  history: string[] = [];
  readonly #waiting: string[] = [];
  #wanted: ((line: string | undefined) => void) | undefined = undefined;
  /** The question that is open while a line is {@link wanted}. */
  #question = '';
  /** Whether the last question was withdrawn: an answer to it may still come. */
  #withdrawn = false;
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();
  /** When a line of progress was written last, by call. */
  readonly #reported = new Map<string, number>();
  #pieces: QuotedStream | undefined = undefined;
  readonly asks: boolean;
  readonly live: LiveRows;
  readonly #page: Page;

  constructor(
    private readonly input: Readable & { readonly isTTY?: boolean },
    private readonly output: Writable & { readonly columns?: number; readonly isTTY?: boolean },
    { asks, live, page }: TerminalParts,
  ) {
    [this.asks, this.live, this.#page] = [asks, live, page];
  }

  /** Whether a person types the answers. */
  get isInteractive(): boolean {
    return this.asks && this.input.isTTY === true;
  }

  /** Whether lines can be edited: input and output are a terminal. */
  get isTerminal(): boolean {
    return this.input.isTTY === true && this.output.isTTY === true;
  }

  /** Writes one line for events, faults and errors; a too long line is cut. */
  readonly tell = (text: string): void => this.#write(`${oneLine(text)}\n`);

  /** Writes one or several lines uncut: what a person must see before they answer. */
  readonly say = (text: string): void => this.#write(`${printable(text)}\n`);

  /** Shows the progress of a call: in a row at a terminal until {@link endProgress}, in at most one line a second elsewhere. */
  progress(call: string, name: string, progress: Progress): void {
    if (this.live.isShown) return this.live.set(call, [progressRow(name, progress, this.#page)]);
    const now = performance.now();
    if (now - (this.#reported.get(call) ?? -Infinity) < progressMs) return;
    this.#reported.set(call, now);
    this.tell(`progress: ${progressText(progress)}`);
  }

  endProgress(call: string): void {
    this.live.remove(call);
    this.#reported.delete(call);
  }

  /** Writes a piece of a text that arrives in pieces. The next text of another kind ends it. */
  piece(text: string): void {
    if (this.#pieces === undefined) this.live.hide();
    this.#pieces ??= new QuotedStream(() => this.output.columns || 80);
    this.output.write(this.#pieces.add(text));
  }

  /**
   * Asks for one line that decides something. Resolves with undefined at the end of input, and, after a message, when the signal
   * aborts. Lines that were typed at a terminal before the question was shown are dropped; other input may be sent ahead. If the
   * previous question was withdrawn, lines since then and within one second are dropped with a message.
   */
  async ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    const isNext = this.#withdrawn;
    if (this.input.isTTY === true) await this.#silence();
    else if (isNext) this.#waiting.length = 0;
    this.#withdrawn = false;
    const from = isNext ? performance.now() + graceMs : 0;
    for (;;) {
      const line = await this.line(question, signal);
      if (line === undefined || performance.now() >= from) return line;
      this.tell('the line came too soon to be an answer to this question and was dropped');
    }
  }

  /**
   * Reads a line as {@link line} does. At a terminal the person can edit it, repeat earlier ones, and complete it with Tab; Ctrl-C drops what is
   * typed, and is a signal where nothing is. Elsewhere no prompt is written.
   */
  edited(prompt: string, complete: Complete, signal: AbortSignal): Promise<string | undefined> {
    return this.isTerminal ? this.line(prompt, signal, complete) : this.line('', signal);
  }

  /** Reads one line of a longer input, which may have been typed ahead; undefined as for {@link ask}. */
  line(prompt: string, signal: AbortSignal, complete?: Complete): Promise<string | undefined> {
    const withdrawn = (): undefined => (complete === undefined ? this.#withdraw() : undefined);
    if (signal.aborted) return Promise.resolve(withdrawn());
    this.#endPieces();
    this.live.hide();
    this.#open(complete);
    if (complete === undefined) this.#write(printable(prompt));
    else {
      this.#lines?.setPrompt(prompt);
      this.#lines?.prompt();
    }
    const line = this.#waiting.shift();
    if (line !== undefined || this.#ended) {
      this.live.show();
      return Promise.resolve(line);
    }
    this.#question = prompt;
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.output.write('\n');
        const wanted = this.#wanted;
        this.#wanted = undefined;
        wanted?.(withdrawn());
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#wanted = (answer) => {
        signal.removeEventListener('abort', withdraw);
        this.live.show();
        resolve(answer);
      };
    });
  }

  /** Reads all of standard input. */
  async rest(signal: AbortSignal): Promise<string> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.line('', signal);
      if (line === undefined) return lines.join('\n');
      lines.push(line);
    }
  }

  /** Runs conversations one after the other, in the order of the calls. */
  talk<T>(conversation: () => Promise<T>): Promise<T> {
    const next = this.#last.then(conversation);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Stops reading. A pending question gets the end of input. */
  close(): void {
    this.#endPieces();
    this.#ended = true;
    this.#lines?.close();
    this.input.destroy();
  }

  #write(text: string): void {
    this.#endPieces();
    const { columns = 0 } = this.output;
    // Some terminals do not know how wide they are.
    const shown = columns === 0 ? text : rows(text, Math.max(columns, 20));
    const isAsked = this.#wanted !== undefined && this.#question !== '';
    this.live.above(() => this.output.write(isAsked ? `\n${shown}` : shown));
    if (isAsked) this.#askAgain(columns);
  }

  /** Shows the open question below what was written after it. */
  #askAgain(columns: number): void {
    if (this.#isEditing) this.#lines?.prompt(true);
    else if (this.isTerminal) this.output.write(rows(printable(this.#question), Math.max(columns, 20)));
  }

  #endPieces(): void {
    if (this.#pieces === undefined) return;
    this.output.write(this.#pieces.end());
    this.#pieces = undefined;
    this.live.show();
  }

  /** Drops all input, until a pause without input. */
  async #silence(): Promise<void> {
    this.#open();
    do {
      this.#waiting.length = 0;
      // Input that arrived while the program was busy is read between the two.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), pauseMs));
    } while (this.#waiting.length > 0);
  }

  // Opened with the first question: without questions, standard input is not read.
  #open(complete?: Complete): void {
    const isEditing = complete !== undefined;
    // Another reader of standard input may have paused it.
    if (this.#lines !== undefined) this.input.resume();
    if (this.#ended || (this.#lines !== undefined && this.#isEditing === isEditing && !isEditing)) return;
    this.#release();
    const { input, output, history } = this;
    const kept = { history, historySize: maxHistory, removeHistoryDuplicates: true };
    const editor = { terminal: true, output, ...kept, completer: completerOf(complete) };
    const lines = createInterface(isEditing ? { input, ...editor } : { input, terminal: false });
    this.#lines = lines;
    this.#isEditing = isEditing;
    lines.on('line', (line) => {
      // While the answer is made, Ctrl-C is a signal again.
      if (isEditing) setImmediate(() => this.#lines === lines && this.#release());
      if (this.#wanted === undefined) this.#waiting.push(line);
      else this.#answer(line);
    });
    lines.on('history', (entries) => (this.history = entries));
    lines.on('SIGINT', () => {
      if (lines.line === '') process.emit('SIGINT');
      // To the end of the line, and all before it away.
      else for (const name of ['e', 'u']) lines.write('', { ctrl: true, name });
    });
    lines.on('close', () => {
      if (this.#lines !== lines) return;
      this.#ended = true;
      this.#answer(undefined);
    });
  }

  /** Stops reading until the next question. */
  #release(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  #withdraw(): undefined {
    this.#withdrawn = true;
    this.tell('the question was withdrawn');
  }

  #answer(line: string | undefined): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    wanted?.(line);
  }
}

function completerOf(complete: Complete | undefined): AsyncCompleter {
  return (line, done) => {
    complete?.(line).then(
      ([completions, part]) => done(null, [[...completions], part]),
      () => done(null, [[], line]),
    );
  };
}
