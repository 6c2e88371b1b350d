import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { repository } from '../repository.js';

const run = promisify(execFile);

/** The titled blocks of the root README, by their titles. */
function blocks(): Map<string, string> {
  const text = readFileSync(join(repository, 'README.md'), 'utf8');
  const found = [...text.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)];
  return new Map(found.map(([, title, body]) => [title as string, body as string]));
}

/** What the first page shows is run as it stands. Needs a build. */
describe('the first page', () => {
  // Inside the workspace, so that the examples find the built packages as a reader's would.
  const folder = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    for (const [title, body] of blocks()) {
      mkdirSync(dirname(join(folder, title)), { recursive: true });
      writeFileSync(join(folder, title), body);
    }
  });

  const printed = async (example: string): Promise<string> => {
    const cwd = join(folder, example);
    return (await run(process.execPath, ['client.mjs'], { cwd })).stdout;
  };

  it.each(['hello', 'progress'])('%s prints what it promises', async (example) => {
    expect(await printed(example)).toBe(blocks().get(`${example}/output`));
  });

  it('network prints what it promises', async () => {
    const shown = 'http://127.0.0.1:3000/mcp';
    const client = blocks().get('network/client.mjs') as string;
    expect(client).toContain(shown);
    const url = await served(join(folder, 'network'));
    writeFileSync(join(folder, 'network/client.mjs'), client.replace(shown, url));
    expect(await printed('network')).toBe(blocks().get('network/output'));
  });

  it.each(['hello/server.mjs', 'hello/client.mjs'])('%s has two imports, five lines, no rxjs', (title) => {
    const lines = (blocks().get(title) as string).trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(lines.filter((line) => line.startsWith('import ')).length).toBeLessThanOrEqual(2);
    expect(lines.join('\n')).not.toContain("'rxjs'");
  });
});

/** Starts the server of an example at a free port, until the test ends. Returns its URL. */
async function served(cwd: string): Promise<string> {
  const child = spawn(process.execPath, ['server.mjs', '--http', '0'], { cwd });
  onTestFinished(async () => {
    child.kill('SIGINT');
    await once(child, 'close');
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^listening (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended');
}
