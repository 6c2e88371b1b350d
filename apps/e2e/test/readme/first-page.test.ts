import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../repository.js';

const run = promisify(execFile);

/** The titled blocks of the root README, by their titles. */
function blocks(): Map<string, string> {
  const text = readFileSync(join(repository, 'README.md'), 'utf8');
  const found = [...text.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)];
  return new Map(found.map(([, title, body]) => [title as string, body as string]));
}

/** What the first page shows is compiled and run as it stands. Needs a build. */
describe('the first page', { timeout: 60_000 }, () => {
  // Inside the workspace, so that the examples find the built packages as a reader's would.
  const folder = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    for (const [title, body] of blocks()) {
      mkdirSync(dirname(join(folder, title)), { recursive: true });
      writeFileSync(join(folder, title), body);
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const compiler = join(repository, 'apps', 'e2e', 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  }, 60_000);

  it.each(['hello', 'network'])('%s prints what it promises', async (example) => {
    const { stdout } = await run(process.execPath, ['client.js'], {
      cwd: join(folder, example),
      timeout: 30_000,
    });
    expect(stdout).toBe(blocks().get(`${example}/output`));
  });

  it('needs no rxjs for hello world', () => {
    for (const side of ['server', 'client']) {
      const code = blocks().get(`hello/${side}.ts`) as string;
      expect(code).not.toContain("'rxjs'");
      expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
    }
  });
});
