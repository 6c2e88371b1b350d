import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';

/** Runs a program to its end; rejects with everything it printed where it fails or takes too long. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  timeoutMs = 120_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env: environment(), timeout: timeoutMs }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error([`${program} ${args.join(' ')}: ${error.message}`, stdout, stderr].join('\n')));
    });
  });
}

/** The pnpm that the workspace was installed with. */
export function pnpm(): string {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  const version = /^pnpm@([^+]+)/.exec(manifest.packageManager)?.[1] ?? '';
  const own = join(repository, '.pnpm-bootstrap', version, 'node_modules/.bin/pnpm');
  return existsSync(own) ? own : 'pnpm';
}

// Settings of the npm or pnpm that started the tests must not steer the commands under test.
function environment(): NodeJS.ProcessEnv {
  const kept = /^npm_config_(registry|userconfig|cache|.*proxy)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => (!/^npm_/i.test(name) || kept.test(name)) && !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
    ),
  );
}
