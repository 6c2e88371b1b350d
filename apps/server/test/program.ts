import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

/** A run of the program. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything on standard error so far. */
  stderr(): string;
  /** Resolves with the urls that it listens at, once there are so many. */
  listening(count: number): Promise<readonly string[]>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts the program; where `files` is given, it may have so many open and no more. */
export type Start = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  files?: number,
) => Running;

/** The program, made of the sources by the global set-up. */
export function useProgram(): Start {
  return start;
}

function start(...[args, env = {}, files]: Parameters<Start>): Running {
  const command = [process.execPath, join(inject('programs of server'), 'src/main.mjs'), ...args] as const;
  const limited = ['/bin/sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`, ...command] as const;
  const [program, ...rest] = files === undefined ? command : limited;
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined);
  child.stdout.resume();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const urls = (): string[] => [...said.matchAll(/^listening (\S+)$/gm)].map(([, url]) => url as string);
  return {
    child,
    stderr: () => said,
    ended,
    async listening(count) {
      while (urls().length < count) {
        const code = await Promise.race([once(child.stderr, 'data').then(() => undefined), ended]);
        if (code !== undefined) throw new Error(`ended with ${code}: ${said}`);
      }
      return urls();
    },
  };
}
