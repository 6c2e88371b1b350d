import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough, Writable } from 'node:stream';
import { serveSocket } from 'rxmcp/stdio/net';
import { inject, onTestFinished } from 'vitest';
import { main } from '../src/program.js';
import { fixtureServer } from './fixtures/fixture-server.js';

/** What a run of the program left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of standard output, read. */
  readonly lines: readonly unknown[];
}

/** A run of the program. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once standard output or standard error holds a text. */
  shown(text: string): Promise<void>;
  readonly finished: Promise<Finished>;
}

/** How a command line is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** @default the folder of the programs */
  readonly cwd?: string;
}

/** How the program is started. */
export interface StartOptions extends RunOptions {
  /** @default 'main' */
  readonly program?: 'main' | 'stand-in';
  /** A file that gets standard output. @default none: it is read */
  readonly into?: string;
}

let last: Promise<unknown> = Promise.resolve();

/** The program and the servers of the fixtures, made of the sources by the global set-up. */
export function useCli(): {
  /** Starts a process. */
  start(args: readonly string[], options?: StartOptions): Running;
  /** Runs a process to its end. */
  runApart(args: readonly string[], options?: StartOptions): Promise<Finished>;
  /** Runs a command line in this process, which starts sooner. The next run waits for its end: it has the folder and the home. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** The words after `--` that start the server of the fixtures. */
  server(...args: readonly string[]): readonly string[];
  /** The words that lead to that server in this process, which starts sooner. It is a new one, and ends with its test. */
  served(...args: Parameters<typeof fixtureServer>): Promise<readonly string[]>;
  /** The words that start the program. */
  program(...args: readonly string[]): readonly string[];
} {
  const folder = inject('programs of client');
  return {
    start,
    runApart: (args, options) => {
      const running = start(args, options);
      running.child.stdin.end(options?.input ?? '');
      return running.finished;
    },
    run(args, options) {
      const running = last.then(() => run(args, options));
      last = running.catch(() => undefined);
      return running;
    },
    server: (...args) => ['--', process.execPath, join(folder, 'test/fixtures/server.mjs'), ...args],
    async served(...args) {
      const serving = await serveSocket(fixtureServer(...args), { port: 0 });
      onTestFinished(() => serving.close());
      return [`tcp:${serving.port}`];
    },
    program: (...args) => [process.execPath, join(folder, 'src/main.mjs'), ...args],
  };
}

function start(
  args: readonly string[],
  { env = {}, cwd = inject('programs of client'), program = 'main', into }: StartOptions = {},
): Running {
  const folder = inject('programs of client');
  const { PATH = '' } = process.env;
  const words = [process.execPath, join(folder, `src/${program}.mjs`), ...args] as const;
  const [command, ...rest] =
    into === undefined ? words : (['sh', '-c', 'exec "$@" >"$0"', into, ...words] as const);
  const child = spawn(command, rest, { cwd, env: { PATH, HOME: folder, ...env } });
  const out = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      out[name] += text;
      for (const look of waiting) look();
    });
  }
  // The reader of the output may have exited.
  child.stdin.on('error', () => undefined);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(finishedWith(code, out));
    });
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const shown = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!out.stdout.includes(text) && !out.stderr.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void finished.then(({ stderr }) => reject(new Error(`ended without "${text}": ${stderr}`)), reject);
    });
  return { child, shown, finished };
}

async function run(
  args: readonly string[],
  { env = {}, input = '', cwd = inject('programs of client') }: RunOptions = {},
): Promise<Finished> {
  const out = { stdout: '', stderr: '' };
  const into = (name: keyof typeof out): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        out[name] += text;
        done();
      },
    });
  const [folder, home] = [process.cwd(), process.env['HOME']];
  const { PATH = '' } = process.env;
  const variables: NodeJS.ProcessEnv = { PATH, HOME: inject('programs of client'), ...env };
  process.chdir(cwd);
  process.env['HOME'] = variables['HOME'];
  try {
    const code = await main(args, {
      stdin: new PassThrough().end(input),
      stdout: into('stdout'),
      stderr: into('stderr'),
      env: variables,
      on: () => undefined,
      exit: () => undefined,
    });
    return finishedWith(code, out);
  } finally {
    process.chdir(folder);
    if (home === undefined) delete process.env['HOME'];
    else process.env['HOME'] = home;
  }
}

function finishedWith(
  code: number | null,
  out: { readonly stdout: string; readonly stderr: string },
): Finished {
  return {
    code,
    ...out,
    // Help and version are no JSON.
    get lines() {
      const lines = out.stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as unknown);
    },
  };
}
