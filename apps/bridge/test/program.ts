import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inject, onTestFinished } from 'vitest';
import { until } from './until.js';

/** A run of the program. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything on standard output, and on standard error, so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves with the urls that it listens at, once there are so many. */
  listening(count: number): Promise<readonly string[]>;
  /** The processes behind it that were started so far. */
  behind(): readonly number[];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** The program, and a server to be put behind it. */
export interface Programs {
  /** Starts the bridge; all that is started ends after the test. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** The same by a process in between, which goes at SIGUSR2; another process holds the input of the bridge. */
  startByMortal(args: readonly string[]): Running;
  /** The file of the bridge, for what starts it itself. */
  readonly main: () => string;
  /** The command of a server that shows what happens within it. */
  readonly behind: (...args: string[]) => string[];
}

/** Both, made of the sources by the global set-up. */
export function usePrograms(): Programs {
  const folder = inject('programs of bridge');
  const main = (): string => join(folder, 'src/main.mjs');
  return {
    main,
    behind: (...args) => [process.execPath, join(folder, 'test/fixtures/behind.mjs'), ...args],
    start: (args, env = {}) => started([main(), ...args], env),
    startByMortal: (args) => started(['-e', mortal, main(), ...args], {}, held()),
  };
}

const mortal = `
require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' });
process.on('SIGUSR2', () => process.exit(0));
`;

/** Whether a process runs. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves once none of these processes runs; rejects after 3 s. */
export function gone(pids: readonly number[]): Promise<void> {
  return until(() => !pids.some(runs));
}

/** The processes that a server behind the bridge reported. */
export function pidsIn(stderr: string): number[] {
  return [...stderr.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
}

/** An input that a process of its own holds open. */
function held(): Readable {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void holder.kill());
  return holder.stdout;
}

function started(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: Readable | 'pipe' = 'pipe',
): Running {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: [input, 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  const said = { stdout: '', stderr: '' };
  onTestFinished(() => {
    child.kill('SIGKILL');
    for (const pid of pidsIn(said.stderr)) if (runs(pid)) process.kill(pid, 'SIGKILL');
  });
  if (input === 'pipe') child.stdin.on('error', () => undefined);
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const urls = (): string[] =>
    [...said.stderr.matchAll(/^listening (\S+)$/gm)].map(([, url]) => url as string);
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    behind: () => pidsIn(said.stderr),
    ended,
    async listening(count) {
      while (urls().length < count) {
        const code = await Promise.race([once(child.stderr, 'data').then(() => undefined), ended]);
        if (code !== undefined) throw new Error(`ended with ${String(code)}: ${said.stderr}`);
      }
      return urls();
    },
  };
}
