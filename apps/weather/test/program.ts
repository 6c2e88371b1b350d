import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

/** What a run of a program left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input has. @default nothing */
  readonly input?: string;
}

/** The programs of this app, made of the sources by the global set-up. */
export function usePrograms() {
  const path = (name: 'main' | 'client'): string => join(inject('programs of weather'), `src/${name}.mjs`);
  return {
    path,
    run: (name: 'main' | 'client', args: readonly string[], options?: RunOptions): Promise<Finished> =>
      run([path(name), ...args], options),
  };
}

/** A folder that is removed after the test. */
export async function tempFolder(): Promise<string> {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'rxmcp-weather-')));
}

async function run(args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Finished> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, { env: { PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text));
  // A program that ends at once does not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...out };
}
