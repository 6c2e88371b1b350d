import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../repository.js';

/** An app as a process. */
export interface Started {
  /** In the order of the options. */
  readonly urls: readonly string[];
  /** Asks it to end; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts an app, by default the reference server; resolves once it listens at so many urls. */
export async function started(args: readonly string[], count: number, app = 'server'): Promise<Started> {
  const program = join(repository, 'apps', app, 'dist/main.js');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const urls: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const told: string[] = [];
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      told.push(line);
      const url = /^listening (\S+)$/.exec(line)?.[1];
      if (url !== undefined && urls.push(url) === count) resolve();
    });
    void ended.then((code) => reject(new Error(`ended with ${String(code)}: ${told.join('\n')}`)));
  });
  return {
    urls,
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
