import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';

/** A process of ours with its own group, which ends with this one at the latest. */
export interface Leashed {
  /** Everything on both outputs so far. */
  output(): string;
  /** Resolves with the first match, or undefined where the process ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray | undefined>;
  /** Resolves with the exit code; undefined where it had to be ended. */
  readonly ended: Promise<number | undefined>;
  /** Asks it to stop. */
  stop(): void;
}

const here = (name: string): string => new URL(name, import.meta.url).href;

/** Starts a program of Node. After `limitMs` it is ended with all that it started. */
export function leashed(args: readonly string[], limitMs: number, preloads: readonly string[] = []): Leashed {
  const imports = ['./leash.mjs', ...preloads].flatMap((name) => ['--import', here(name)]);
  const child = spawn(process.execPath, [...imports, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const heard = new Set<() => void>();
  const hear = (text: string): void => {
    output += text;
    for (const look of heard) look();
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear);
  const limit = setTimeout(() => end(child), limitMs);
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve(code ?? undefined);
    });
  });
  return {
    output: () => output,
    said: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = pattern.exec(output);
          if (found !== null) resolve(found);
        };
        heard.add(look);
        void ended.then(() => resolve(undefined));
        look();
      }),
    ended,
    stop: () => void child.kill('SIGTERM'),
  };
}

function end(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
