import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Terminal } from '../terminal.js';

const prompt = 'rxmcp> ';
const maxHistory = 500;

/** Reads lines: at a terminal with editing, completion and a history in a file, elsewhere as they come. */
export class LineEditor {
  private history: string[];

  constructor(
    private readonly terminal: Terminal,
    private readonly file: string,
    private readonly isInteractive: boolean,
    private readonly complete: (line: string) => Promise<[string[], string]>,
  ) {
    this.history = isInteractive ? read(file) : [];
  }

  /** Resolves with the next line; with undefined at the end of input, after Ctrl-C at an empty prompt, and when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined> {
    if (!this.isInteractive) return this.terminal.line('', signal);
    return new Promise((resolve) => {
      const editor = createInterface({
        input: process.stdin,
        output: process.stderr,
        terminal: true,
        history: this.history,
        historySize: maxHistory,
        removeHistoryDuplicates: true,
        completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
          void this.complete(line).then(
            (result) => done(null, result),
            () => done(null, [[], line]),
          );
        },
      });
      let line: string | undefined;
      const end = (): void => editor.close();
      signal.addEventListener('abort', end, { once: true });
      editor.on('history', (history: string[]) => (this.history = history));
      editor.on('line', (text) => {
        line = text;
        editor.close();
      });
      editor.on('SIGINT', () => {
        if (editor.line === '') return editor.close();
        editor.write('', { ctrl: true, name: 'e' });
        editor.write('', { ctrl: true, name: 'u' });
      });
      editor.on('close', () => {
        signal.removeEventListener('abort', end);
        if (line === undefined) process.stderr.write('\n');
        resolve(line);
      });
      editor.setPrompt(prompt);
      editor.prompt();
    });
  }

  /** Writes the history. A failure is no reason to lose the session. */
  save(): void {
    if (!this.isInteractive) return;
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(this.file, this.history.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    } catch {
      this.terminal.tell(`the history could not be written to ${this.file}`);
    }
  }
}

function read(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, maxHistory);
  } catch {
    return [];
  }
}
