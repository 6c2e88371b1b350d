import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a client that reads a flood found. */
export interface Flooded {
  readonly messages: number;
  /** The most memory that it took, in MiB. */
  readonly grownMiB: number;
  /** How the connection ended. */
  readonly code: string;
  readonly signal: string | null;
}

/** What a client that answers a flood of requests found. */
export interface Answered {
  readonly asked: number;
  readonly grownMiB: number;
  readonly code: string;
  /** What closing it took. */
  readonly signals: readonly string[];
}

/** Runs a client of the fixtures in a process of its own, so that its memory is only its own; resolves with what it found. */
export async function found<T>(name: string, ...argv: readonly (string | number)[]): Promise<T> {
  const client = fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
  const args = ['--conditions=@rxmcp/source', '--import', 'tsx', client, ...argv.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dirname(client) });
  return JSON.parse(stdout) as T;
}
