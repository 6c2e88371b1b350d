import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../repository.js';

/** The port that pages show; the tests take a free one in its place. */
const shownPort = '3000';

/** What a line of a page did. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly told: string;
}

/** Where the lines of a page run. */
export interface Place {
  readonly cwd: string;
  /** Whether `npx rxmcp` is the program that is installed there. @default false: that of the checkout */
  readonly installed?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** The port to serve at. @default '0': a free one */
  readonly port?: string;
}

/**
 * Runs the lines of a block as a reader would, one after the other. A line that serves at the shown port is started, and
 * ended after the last; what it prints is not among the results.
 */
export async function ranLines(text: string, place: Place): Promise<Map<string, Ran>> {
  const results = new Map<string, Ran>();
  let served: ChildProcess | undefined;
  let port = shownPort;
  try {
    for (const line of text.split('\n').map((shown) => shown.replace(/ +# .*$/, '').trim())) {
      if (line === '') continue;
      const command = place.installed === true ? line : ofCheckout(line);
      if (new RegExp(`--(http|ws) ${shownPort}`).test(line)) {
        served = shell(command.replaceAll(shownPort, place.port ?? '0'), place);
        port = await listening(served);
      } else {
        results.set(line, await ended(shell(command.replaceAll(`:${shownPort}/`, `:${port}/`), place)));
      }
    }
    return results;
  } finally {
    served?.kill('SIGINT');
    if (served !== undefined) await once(served, 'close');
  }
}

/** The program of the package that a reader installs is that of the checkout. */
function ofCheckout(line: string): string {
  return line.replace(/\bnpx rxmcp\b/, `node ${join(repository, 'apps/client/dist/main.js')}`);
}

// `exec`, so that a signal reaches the program and not the shell.
function shell(command: string, { cwd, env }: Place): ChildProcess {
  const assigned = /^(?:[A-Z_]+=\S+ )*/.exec(command)?.[0] ?? '';
  const line = / \| | && /.test(command) ? command : `${assigned}exec ${command.slice(assigned.length)}`;
  return spawn('/bin/sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('nothing to read');
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^listening (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return new URL(url).port;
  }
  throw new Error('the server ended');
}

async function ended(child: ChildProcess): Promise<Ran> {
  let [stdout, told] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (told += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, told };
}
