import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineClient } from './suite/examine.js';
import { leashed } from './suite/run-with-timeout.js';
import { problemsOf } from './suite/outcome.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'rxmcp-conformance-runner-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, code: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, code);
  return path;
}

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'somebody', version: '1.0.0' },
  },
});

describe('a client is detected', () => {
  it.each([
    ['that says nothing', 'silent.mjs', '', ['nothing was observed']],
    [
      'that ends badly after all went well',
      'rude.mjs',
      `await fetch(process.argv[2], { method: 'POST', body: ${JSON.stringify(hello)} }); process.exitCode = 3;`,
      [expect.stringMatching(/^ended with 1: [^]*CLIENT EXITED WITH ERROR \(code 3\)/)],
    ],
  ])('%s', async (_what, name, code, problems) => {
    const path = await program(name, code);
    const outcome = await examineClient(path, '2025-11-25', 'initialize', join(folder, `of-${name}`));
    expect(problemsOf(outcome)).toEqual(problems);
  });
});

describe('a started process', () => {
  // The outputs of a process close with the last of those that it gave them to.
  const family = `
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    process.send('here');
    setInterval(() => {}, 1000);
  `;

  it('ends at its timeout with all that it started', async () => {
    expect(await leashed([await program('family.mjs', family)], 3_000).ended).toBeUndefined();
  });

  it('ends with its parent process, with all that it started', async () => {
    const leash = new URL('./suite/leash.mjs', import.meta.url).href;
    const args = ['--import', leash, await program('family.mjs', family)];
    const starter = `
      import { spawn } from 'node:child_process';
      const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
      const child = spawn(process.execPath, ${JSON.stringify(args)}, { detached: true, stdio });
      child.once('message', () => process.kill(process.pid, 'SIGKILL'));
    `;
    expect(await leashed([await program('starter.mjs', starter)], 60_000).ended).toBeUndefined();
  });
});
