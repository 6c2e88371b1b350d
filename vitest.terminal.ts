import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const python = fileURLToPath(new URL('vitest.terminal.py', import.meta.url));

/** How a program runs at a terminal. */
export interface TerminalOptions {
  /** @default 100 */
  readonly columns?: number;
  /** Each answer is typed once its text is shown. @default none */
  readonly typed?: readonly (readonly [text: string, answer: string])[];
  /** @default false */
  readonly colors?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program at a pseudo-terminal. Resolves with all that a person sees, and its exit code. */
export function atTerminal(
  words: readonly string[],
  { columns = 100, typed = [], colors = false, env = {}, cwd }: TerminalOptions = {},
): Promise<{ readonly shown: string; readonly code: number }> {
  const { PATH = '', HOME = '' } = process.env;
  const look = { TERM: 'xterm-256color', ...(colors ? {} : { NO_COLOR: '1' }) };
  const options = { cwd, env: { PATH, HOME, ...look, ...env }, maxBuffer: 2 ** 24 };
  return new Promise((resolve, reject) => {
    execFile(
      'python3',
      ['-IS', python, `${columns}`, JSON.stringify(typed), ...words],
      options,
      (error, shown) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ shown: shown.replaceAll('\r\n', '\n'), code });
        else reject(error as Error);
      },
    );
  });
}

/** The rows of a screen that was written to: moves up and erasures are done, colours are left out. */
export function screenOf(shown: string): readonly string[] {
  let rows: string[] = [''];
  // eslint-disable-next-line no-control-regex
  const tokens = /\u001b\[(?:(\d+)A|[0-9;?]*[A-Za-z])|\n|\r|[^\u001b\n\r]+/g;
  for (const [token, up] of shown.matchAll(tokens)) {
    if (up !== undefined) rows = rows.slice(0, rows.length - Number(up));
    else if (token === '\n') rows.push('');
    else if (!token.startsWith('\u001b') && token !== '\r') rows[rows.length - 1] += token;
    if (up !== undefined) rows[rows.length - 1] = '';
  }
  return rows;
}
