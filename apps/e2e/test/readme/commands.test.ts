import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';

const readme = readFileSync(join(repository, 'apps/server/README.md'), 'utf8');
const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  (block as string).split('\n'),
);
const commands = lines.map((line) => line.replace(/ +#.*$/, '').trim()).filter((line) => line !== '');

/** The address that the README serves at; the tests take a free port in its place. */
const shownPort = '3000';
const isNetwork = (line: string): boolean => line.includes(shownPort);
const ran: ChildProcess[] = [];
afterAll(() => {
  for (const child of ran) child.kill('SIGKILL');
});

function started(command: string): ChildProcessWithoutNullStreams {
  const [program, ...args] = words(command) as [string, ...string[]];
  const child = spawn(program, args, { cwd: repository });
  ran.push(child);
  return child;
}

/** Runs a line of the README as a reader would. One that never ends is interrupted at its first line of output. */
function run(command: string): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = started(command);
    let stdout = '';
    child.stderr.resume();
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (command.includes(' watch ') && stdout.includes('\n')) child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout }));
  });
}

async function good(command: string): Promise<void> {
  const { code, stdout } = await run(command);
  if (command.includes(' watch '))
    expect(JSON.parse(stdout.split('\n')[0] as string)).toHaveProperty('contents');
  else expect(code).toBe(0);
  if (command.includes('calculate_sum')) expect(stdout).toContain('"5"');
}

function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain) as string);
}

/** Needs a build. */
describe('the commands of the README of the reference server', () => {
  const programs = commands.filter((line) => line.startsWith('node '));

  // Without an exhaustive run, a command of the client that the network has too is tried there alone.
  const commandOf = (line: string): string | undefined => /main\.js (\w+)/.exec(line)?.[1];
  const network = new Set(programs.filter(isNetwork).map(commandOf));
  const isTried = (line: string): boolean =>
    exhaustive || commandOf(line) === undefined || !network.has(commandOf(line));
  it.each(programs.filter((line) => !isNetwork(line) && isTried(line)))('%s', good);

  it('those of the network, with a free port', async () => {
    const [serve = '', ...asked] = programs.filter(isNetwork);
    expect(asked).toHaveLength(3);
    const server = started(serve.replaceAll(shownPort, '0'));
    const urls: string[] = [];
    for await (const line of createInterface({ input: server.stderr })) {
      urls.push(/^listening (\S+)$/.exec(line)?.[1] ?? '');
      if (urls.length === 3) break;
    }
    const { port } = new URL(urls[0] as string);
    for (const line of asked) {
      const command = line.replaceAll(shownPort, port);
      expect(urls).toContain(words(command).at(-1));
      await good(command);
    }
    server.kill('SIGINT');
    expect((await once(server, 'close'))[0]).toBe(0);
  });

  const contributing = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const scripted = [...contributing.matchAll(/^\| `npm (?:run )?([\w:]+)` /gm)].map(
    ([, name]) => name as string,
  );
  it.each(scripted)('the script %s of CONTRIBUTING.md is one of this workspace', (name) => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      scripts: object;
    };
    expect(scripts).toHaveProperty([name]);
  });

  it('CONTRIBUTING.md has the scripts in a table', () => {
    expect(scripted).toEqual([
      'start',
      'test',
      'check',
      'related',
      'test:exhaustive',
      'coverage',
      'mutate',
      'setup',
      'pack',
      'bench',
      'release:dry',
      'matrix',
    ]);
  });
});
