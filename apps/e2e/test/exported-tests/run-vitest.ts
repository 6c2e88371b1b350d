import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const config = `
  const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];
  export default {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: { include: ['*.test.js'], testTimeout: 30_000 },
  };`;

/** Runs vitest for real in a folder of its own with these files: for each test file `passed`, or the first line of what failed. */
export async function ran(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-export-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const own = join(import.meta.dirname, '../..');
  await symlink(join(own, 'node_modules'), join(folder, 'node_modules'));
  const all = { ...sources, 'vitest.config.js': config, 'package.json': '{"type":"module"}' };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const report = await reportOf(join(own, 'node_modules/vitest/vitest.mjs'), folder);
  return Object.fromEntries(
    report.testResults.map(({ name, assertionResults: [first] }) => [
      name.slice(folder.length + 1),
      first?.status === 'passed' ? 'passed' : (first?.failureMessages[0]?.split('\n')[0] ?? 'nothing ran'),
    ]),
  );
}

function reportOf(vitest: string, folder: string): Promise<Report> {
  const { VITEST: _, ...env } = process.env;
  const args = ['run', '--root', folder, '--reporter', 'json', '--no-file-parallelism', '--no-isolate'];
  return new Promise<Report>((resolve, reject) => {
    execFile(process.execPath, [vitest, ...args], { cwd: folder, env }, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report);
      } catch {
        reject(new Error(`${stdout}\n${stderr}`));
      }
    });
  });
}
