import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../src/arguments.js';
import { commands } from '../src/commands/table.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, runApart, start, served, server } = useCli();

describe('exit 1: the server answered an error', () => {
  it.each([
    ['a tool that fails', ['call', 'fail'], ''],
    ['an unknown tool', ['call', 'nothing'], 'nothing'],
    ['a missing resource', ['read', 'test://none'], 'test://none'],
    ['a missing argument of a prompt', ['prompt', 'greet'], 'who'],
    ['an unknown prompt', ['prompt', 'nothing', '{}'], 'nothing'],
    ['an argument without a completion', ['complete', 'greet', '{"where":""}'], 'where'],
  ])('%s', async (_what, args, named) => {
    const { code, stderr } = await run([...args, ...(await served())]);
    expect(code).toBe(1);
    expect(stderr).toContain(named);
  });

  it('prints the result of a tool that fails', async () => {
    const { lines } = await run(['call', 'fail', ...(await served())]);
    expect(lines).toMatchObject([{ isError: true, content: [{ text: 'it failed' }] }]);
  });
});

describe('where output cannot be written', () => {
  it.runIf(existsSync('/dev/full')).each(['info', 'tools', '--help'])(
    'the output of %s ends with 1, with the reason',
    async (command) => {
      const { code, stderr } = await runApart([command, ...server()], { into: '/dev/full' });
      expect(stderr.match(/^the output could not be written: ENOSPC$/gm)).toHaveLength(1);
      expect(code).toBe(1);
    },
  );

  it('a closed standard error loses no result', async () => {
    const { child, finished } = start(['call', 'steps', ...server()]);
    child.stderr.destroy();
    expect(await finished).toMatchObject({ code: 0, lines: [{ content: [{ text: 'done' }] }] });
  });
});

describe('exit 2: usage errors', () => {
  it.each([
    ['no command', [], 'no command'],
    ['an unknown command', ['dance', 'demo'], '"dance"'],
    ['no server', ['tools'], 'no server'],
    ['ARGS that are no JSON', ['call', 'echo', '{a}', '--', 'true'], 'not valid JSON'],
    ['ARGS that are no object', ['call', 'echo', '[1]', '--', 'true'], 'object'],
    ['a word after --version', ['--version', 'foo'], 'unexpected argument "foo" after --version'],
    ['an unknown protocol', ['tools', '--protocol', 'new', '--', 'true'], '"new"'],
    ['an unknown revision', ['tools', '--protocol', '2020-01-01', '--', 'true'], '2020-01-01'],
    ['an invalid timeout', ['tools', '--timeout', '0', '--', 'true'], '--timeout'],
    ['an invalid approval', ['tools', '--approve', 'maybe', '--', 'true'], '--approve'],
    ['a root that is not there', ['tools', '--root', '/nowhere', '--', 'true'], '/nowhere'],
    ['a root that is a file', ['tools', '--root', process.execPath, '--', 'true'], 'not a folder'],
    ['a config that is not there', ['tools', 'demo'], 'mcp.json'],
  ])('%s', async (_what, args, named) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(named);
  });

  it.each([
    ['no server', ['tools'], 'no server'],
    ['a server in the place of NAME', ['prompt', 'demo'], 'no server is given after NAME "demo": a URL'],
    ['nothing after --', ['tools', '--'], 'after --'],
    [
      'a server of chat after --',
      ['chat', 'Hi', '--', 'node'],
      'put it into mcp.json, and pass --server NAME',
    ],
    ['a server of serve after --', ['serve', '--', 'node'], 'leave out -- and what follows'],
    ['no NAME', ['call', '--', 'true'], 'NAME'],
    ['no URI', ['read', '--', 'true'], 'URI'],
    ['a word too many', ['tools', 'a', 'b'], 'unexpected argument "b"'],
    ['a value that is missing', ['tools', '--timeout'], '--timeout needs a value: --timeout MS\n'],
    ['an option in place of a value', ['tools', '--timeout', '--json'], '--timeout needs a value'],
    ['a value for an option without one', ['tools', '--json=1', 'a'], '--json takes no value'],
    ['an unknown option', ['tools', '--loud', 'a'], '--loud'],
  ])('%s is an error of the command line', async (_what, [name = '', ...args], named) => {
    const command = await commands[name]?.load();
    expect(() => readArguments(name, command ?? expect.unreachable(), args)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(named.trimEnd()) }),
    );
  });

  it.each([
    ['a command', ['\u001b[2J\u009b'], '"\\u001b[2J\\u009b"'],
    ['the names of a config', ['tools', 'demo', '--config', 'nasty.json'], 'available: a\\u001b[2J'],
    ['a folder', ['tools', '--root', 'a\nb', '--', 'true'], 'a\\u000ab'],
  ])('%s that would steer a terminal is shown escaped and bounded', async (_what, args, named) => {
    const cwd = await tempFolder();
    await mkdir(join(cwd, 'a\nb'));
    const names = ['a\u001b[2J', 'x'.repeat(10_000)].map((name) => [name, { command: 'x' }]);
    await writeFile(join(cwd, 'nasty.json'), JSON.stringify({ mcpServers: Object.fromEntries(names) }));
    const { code, stderr } = await run(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u001b\u009b]/);
    expect(stderr.length).toBeLessThan(3_000);
  });

  it('an invalid uri', async () => {
    expect((await runApart(['read', 'no uri', ...server()])).code).toBe(2);
  });

  it('an argument of a prompt that is not a string', async () => {
    expect((await run(['prompt', 'greet', '{"who":1}', ...(await served())])).code).toBe(2);
  });

  it('an empty completion', async () => {
    const { code, stderr } = await run(['complete', 'greet', ...(await served())]);
    expect(code).toBe(2);
    expect(stderr).toContain('complete needs an ARG, whose value is completed');
  });
});

describe('exit 3: no connection', () => {
  it('a missing program', async () => {
    const { code, stderr } = await run(['tools', '--', '/nowhere/server']);
    expect(code).toBe(3);
    expect(stderr).toContain('/nowhere/server');
  });

  it('a program that ends at once, with its exit code and last output', async () => {
    const script = 'console.error("out of order"); process.exit(9)';
    const { code, stderr } = await run(['tools', '--', process.execPath, '-e', script]);
    expect(code).toBe(3);
    expect(stderr.match(/code 9/g)).toHaveLength(1);
    // It was started twice, for a server may leave just because it is probed; it is shown once.
    expect(stderr.match(/^server: out of order$/gm)).toHaveLength(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^cannot connect: .* exited with code 9: out of order\. Run its command alone to see why$/,
    );
  });

  it('a program without output, after the timeout', async () => {
    const script = 'setInterval(() => {}, 1000); process.stdin.resume()';
    const { code, stderr } = await run(['tools', '--timeout', '300', '--', process.execPath, '-e', script]);
    expect(code).toBe(3);
    expect(stderr).toContain('300 ms');
  });

  it('a server that vanishes in the middle of a call', async () => {
    expect((await run(['call', 'vanish', ...server()])).code).toBe(3);
  });

  it('no common revision', async () => {
    const file = join(await tempFolder(), 'old.mjs');
    await writeFile(file, oldServer);
    const to = ['--', process.execPath, file];
    expect((await run(['info', ...to])).lines).toMatchObject([{ protocol: '2024-11-05' }]);
    expect((await run(['info', '--protocol', '2025-11-25', ...to])).code).toBe(3);
    expect((await run(['info', '--protocol', 'modern', ...to])).code).toBe(3);
  });
});

const oldServer = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'old', version: '0' } };
  const error = { code: -32601, message: 'unknown method' };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }) + '\\n');
});
`;
