import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../repository.js';
import type { Block } from './page.js';

/** The port that pages show; the tests take a free one in its place. */
const shownPort = '3000';

/** What a line of a page did. */
export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly told: string;
}

/**
 * Runs the lines of a block as a reader would, one after the other. A line that serves at the shown port is started, and
 * ended after the last; what it prints is not among the results.
 */
export async function ranLines({ text }: Block, cwd: string): Promise<Map<string, Ran>> {
  const results = new Map<string, Ran>();
  let served: ChildProcess | undefined;
  let port = shownPort;
  try {
    for (const line of text.split('\n').map((shown) => shown.replace(/ +# .*$/, '').trim())) {
      if (line === '') continue;
      const command = asInstalled(line);
      if (new RegExp(`--(http|ws) ${shownPort}`).test(line)) {
        served = shell(command.replaceAll(shownPort, '0'), cwd);
        port = await listening(served);
      } else {
        results.set(line, await ended(shell(command.replaceAll(`:${shownPort}/`, `:${port}/`), cwd)));
      }
    }
    return results;
  } finally {
    served?.kill('SIGINT');
    if (served !== undefined) await once(served, 'close');
  }
}

/** The program of the package that a reader installs is that of the checkout. */
function asInstalled(line: string): string {
  return line.replace(/\bnpx rxmcp\b/, `node ${join(repository, 'apps/client/dist/main.js')}`);
}

// `exec`, so that a signal reaches the program and not the shell.
function shell(command: string, cwd: string): ChildProcess {
  const assigned = /^(?:[A-Z_]+=\S+ )*/.exec(command)?.[0] ?? '';
  const line = command.includes(' | ') ? command : `${assigned}exec ${command.slice(assigned.length)}`;
  return spawn('/bin/sh', ['-c', line], { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
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
  let told = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (told += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, told };
}
