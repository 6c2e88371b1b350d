import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { bundled } from '../../../../vitest.bundle.js';
import { until } from './child.js';

const folder = fileURLToPath(new URL('..', import.meta.url));
/** The file that runs a fixture. */
export const running = (name: string): Promise<string> =>
  bundled(new URL(`./fixtures/${name}.ts`, import.meta.url));
export const server: readonly string[] = [await running('server')];

/** A server of the fixtures in a process of its own. */
export interface Started {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  messages: Record<string, unknown>[];
  stderr(): string;
  say(message: unknown): void;
  /** Waits for its first message. */
  ready(): Promise<void>;
}

/** Starts it, in the line of a shell if need be, which has it as `"$0" "$@"`; it is killed with the test. */
export function start(args: readonly string[] = server, shell?: string): Started {
  const [command, ...rest] =
    shell === undefined ? [process.execPath, ...args] : ['sh', '-c', shell, process.execPath, ...args];
  const child = spawn(command, rest, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const messages: Record<string, unknown>[] = [];
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line)));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const say = (message: unknown): void => void child.stdin.write(JSON.stringify(message) + '\n');
  const ready = async (): Promise<void> => {
    await until(() => expect(messages).toMatchObject([{ method: 'hello' }]));
    messages.length = 0;
  };
  return { child, messages, stderr: () => stderr, say, ready };
}

/** How it ended. */
export async function exit(child: Started['child']): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal };
}
