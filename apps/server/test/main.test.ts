import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from './desk.js';
import { gitIn } from './git-in.js';
import { useProgram } from './program.js';

const start = useProgram();

/** Runs the program with this input; resolves with what it wrote to standard error. */
async function stderrOf(args: readonly string[], input: string): Promise<string> {
  const { child, ended, stderr } = start(args);
  child.stdin.end(input);
  await ended;
  return stderr();
}

it('text of a client neither steers the terminal nor floods it', async () => {
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
  [['--root', '/dev/null'], '"/dev/null" is not a directory'],
  [['--root', import.meta.dirname, '--protocol', '2001-01-01'], /2001-01-01/],
  [
    ['--http', '0', '--tls-cert', '/none', '--tls-key', '/none'],
    /^--tls-cert "\/none" cannot be read: ENOENT$/,
  ],
])('an invalid value is reported in one line: %j', async (args, message) => {
  const stderr = await stderrOf(args, '');
  expect(stderr.trimEnd()).toMatch(message instanceof RegExp ? message : new RegExp(`^${message}$`));
  expect(stderr.trimEnd()).not.toContain('\n');
});

it('a folder that git ignores is named', async () => {
  const root = await tempFolder();
  gitIn(root);
  await writeFile(join(root, '.gitignore'), 'out/\n');
  await mkdir(join(root, 'out/docs'), { recursive: true });
  const folder = join(root, 'out/docs');
  expect(await stderrOf([folder], '')).toBe(`"${folder}" is ignored by git, and so are all of its files\n`);
});

it.each([
  [['--roof', '/'], 'the server has no option --roof. Did you mean --root?'],
  [['--htp', '0'], 'the server has no option --htp. Did you mean --http?'],
  [['--http'], '--http needs a value: --http PORT.'],
])('a wrong form is reported in one line, with the nearest names: %j', async (args, reason) => {
  expect(await stderrOf(args, '')).toBe(`${reason} --help shows how it is called\n`);
});

it('invalid arguments are shown escaped', async () => {
  const stderr = await stderrOf(['--protocol', '\u001b[2J\u009b'], '');
  expect(stderr).toContain('--protocol');
  // eslint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u001b\u009b]/);
});
