import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, server } = useCli();
const foreign = ['--', process.execPath, fileURLToPath(new URL('./fixtures/foreign.mjs', import.meta.url))];

it('a call with --root waits until the server has asked for the roots', async () => {
  const { code, lines } = await run(['call', 'count', '--root', await tempFolder(), ...foreign]);
  expect(lines).toMatchObject([{ content: [{ text: '1 roots' }] }]);
  expect(code).toBe(0);
});

it('a call with --root is sent to a server that never asks on its own', async () => {
  const { code } = await run([
    'call',
    'who',
    '--protocol',
    'legacy',
    '--root',
    await tempFolder(),
    ...server(),
  ]);
  expect(code).toBe(0);
});

it('what a server prints to standard output is reported once', async () => {
  const { code, stderr } = await run(['tools', ...foreign]);
  expect(stderr.match(/^fault UNEXPECTED_OUTPUT.*$/gm)).toEqual([
    expect.stringMatching(/noise 1.*; further lines are not shown$/),
  ]);
  // The advice of the library is for programmers.
  expect(stderr).not.toContain('faults$');
  expect(code).toBe(0);
});

it.each(['resources', 'templates', 'prompts'])('%s of a server without any says so', async (command) => {
  const { code, stdout, stderr } = await run([command, ...foreign]);
  expect(stderr).toMatch(
    command === 'prompts' ? /^this server has no prompts$/m : /^this server has no resources$/m,
  );
  expect([code, stdout]).toEqual([0, '']);
});

it('--env adds variables to those of a server that is started', async () => {
  const set = ['--env', 'GREETING=a=b', '--env', 'OTHER='];
  const { code, stdout } = await run(['call', 'env', ...set, ...server()]);
  expect(stdout).toContain('a=b');
  expect(code).toBe(0);
});

it.each([
  [['tools', 'http://127.0.0.1:1/', '--env', 'A=b'], '--env is for servers that are started'],
  [['tools', '--env', 'secret', 'demo'], '--env takes NAME=VALUE'],
  [['tools', '--env', '=secret', 'demo'], '--env takes NAME=VALUE'],
])('--env that cannot be used ends with 2: %j', async (args, reason) => {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).not.toContain('secret');
});
