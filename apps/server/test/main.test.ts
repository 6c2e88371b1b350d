import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tempFolder } from './desk.js';

const home = fileURLToPath(new URL('..', import.meta.url));
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxmcp-server-main-'));
  await build({
    config: false,
    silent: true,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    removeNodeProtocol: false,
    noExternal: [/./],
    entry: [join(home, 'src/main.ts')],
    outExtension: () => ({ js: '.mjs' }),
    outDir: folder,
    esbuildOptions: (esbuild) => {
      esbuild.conditions = ['@rxmcp/source'];
    },
  });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the program with this input; resolves with what it wrote to standard error. */
async function stderrOf(args: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'main.mjs'), ...args]);
  child.stdout.resume();
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return stderr;
}

it('what a client wrote neither steers the terminal nor floods it', async () => {
  const lines = Array.from({ length: 500 }, (_, at) => `\u001b[2J\u009b\u202e${at}${'x'.repeat(5_000)}`);
  const stderr = await stderrOf(['--root', await tempFolder()], `${lines.join('\n')}\n`);
  expect(stderr).toContain('PARSE_ERROR');
  // eslint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThanOrEqual(1_024);
  expect(stderr.match(/^PARSE_ERROR/gm)?.length).toBeLessThanOrEqual(20);
});

it.each([
  [['--root', '/does/not/exist'], 'there is no folder "/does/not/exist"'],
  [['--root', '/dev/null'], '"/dev/null" is no directory'],
  [['--protocol', '2001-01-01'], /2001-01-01/],
])('a value that makes no sense is told in one line: %j', async (args, message) => {
  const stderr = await stderrOf(args, '');
  expect(stderr.trimEnd()).toMatch(message instanceof RegExp ? message : new RegExp(`^${message}$`));
  expect(stderr.trimEnd()).not.toContain('\n');
});

it('an option that is none shows how the program is called, and the reason last', async () => {
  const lines = (await stderrOf(['--roof', '/'], '')).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^usage: /);
  expect(lines[1]).toContain('--roof');
});

it('arguments that make no sense are shown escaped', async () => {
  const stderr = await stderrOf(['--protocol', '\u001b[2J\u009b'], '');
  expect(stderr).toContain('--protocol');
  // eslint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u001b\u009b]/);
});
