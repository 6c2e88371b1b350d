import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { atTerminal, screenOf } from '../../../../vitest.terminal.js';
import { repository } from '../repository.js';
import { listening, otherServers } from './other-servers.js';

const bin = join(repository, 'packages/rxmcp/dist/bin/rxmcp.js');
const folder = await mkdtemp(join(tmpdir(), 'rxmcp-files-'));
await writeFile(join(folder, 'note.txt'), 'a note\u001b[2J\n');
afterAll(() => rm(folder, { recursive: true }));

/** For each server one call whose arguments need the schema, and a part of its result. */
const calls: Readonly<Record<string, readonly [words: readonly string[], text: string]>> = {
  'official-v1': [['sum', 'a=1.5', 'b=2'], 'the sum is 3.5'],
  'official-v2': [['sum', 'a=1.5', 'b=2'], 'the sum is 3.5'],
  fast: [['sum', 'a=1.5', 'b=2'], 'the sum is 3.5'],
  everything: [['get-sum', 'a=1.5', 'b=2'], '3.5'],
  filesystem: [['read_multiple_files', `paths=${join(folder, 'note.txt')}`], 'a note'],
};

const prompts: Readonly<Record<string, readonly [words: readonly string[], text: string]>> = {
  everything: [['args-prompt', 'city=Oslo'], 'Oslo'],
};

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function rxmcp(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function expectServed(name: string, to: readonly string[]): Promise<void> {
  const [words, text] = calls[name] as (typeof calls)[string];
  const wrong = words.map((word) => (word.startsWith('b=') ? 'b=many' : word));
  const [prompt, message] = prompts[name] ?? [['greet', 'who=Ada'], 'Greet Ada.'];
  const [call, refused, filled] = await Promise.all([
    rxmcp('call', ...words, ...to),
    exhaustive && wrong !== words ? rxmcp('call', ...wrong, ...to) : undefined,
    exhaustive && name !== 'filesystem' ? rxmcp('prompt', ...prompt, ...to) : undefined,
  ]);
  expect(call.stdout, call.stderr).toContain(text);
  expect(call.code).toBe(0);
  if (refused !== undefined && name !== 'filesystem') {
    expect(refused.stderr).toMatch(/failed: \/b must be (?:integer|number), got "many"/);
    expect(refused.code).toBe(2);
  }
  if (filled !== undefined) expect(filled.stdout, filled.stderr).toContain(message);
}

describe.each(otherServers(folder))('rxmcp with $name', ({ name, stdio, listeners }) => {
  // The official SDK of version 1 is under three of them: one of these over stdio is enough in `npm test`.
  if (exhaustive || !['official-v1', 'fast'].includes(name))
    it('over stdio', () => expectServed(name, ['--', process.execPath, ...stdio]));

  // A program that speaks over one of its listeners speaks over the others: in `npm test`, Streamable HTTP of the official SDKs, and
  // HTTP+SSE of another one.
  const tried = Object.entries(listeners).filter(
    ([kind]) =>
      exhaustive || (name === 'fast' ? kind === 'sse' : name.startsWith('official') && kind === 'http'),
  );
  it.each(tried)('over %s', async (_kind, listener) => {
    const { url, end } = await listening(listener);
    try {
      await expectServed(name, [url]);
    } finally {
      await end();
    }
  });
});

const looks = [
  [40, true],
  ...(exhaustive
    ? ([
        [40, false],
        [120, true],
        [120, false],
      ] as const)
    : []),
] as const;

describe.each(looks)('at a terminal of %i columns, colours %s', (columns, colors) => {
  const everything = otherServers(folder).find(({ name }) => name === 'everything');
  const seen = (...words: readonly string[]): ReturnType<typeof atTerminal> =>
    atTerminal([process.execPath, bin, ...words, '--', process.execPath, ...(everything?.stdio ?? [])], {
      columns,
      colors,
    });

  it('a long call of the everything server has a bar, and a picture is a file', async () => {
    const long = ['call', 'trigger-long-running-operation', 'duration=0.2', 'steps=2'];
    const [running, picture] = await Promise.all([seen(...long), seen('call', 'get-tiny-image')]);
    expect(running.shown).toMatch(/\[.*=.*\] trigger-long/);
    expect(running.shown).toContain('Long running');
    expect(picture.shown).toMatch(/saved as \S+\.png$/m);
    // eslint-disable-next-line no-control-regex
    expect(/\u001b\[\d+m/.test(running.shown)).toBe(colors);
    for (const { shown, code } of [running, picture]) {
      const isPath = (row: string): boolean => row.startsWith('saved as ');
      expect(screenOf(shown).filter((row) => row.length > columns && !isPath(row))).toEqual([]);
      expect(code).toBe(0);
    }
  });
});
