import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';

const program = join(repository, 'apps/server/dist/demo.js');

beforeAll(() => {
  if (!existsSync(program)) throw new Error(`${program} is not built: npm run setup builds it`);
});

/** A row for each era that a transport carries. */
const rows = [
  ...['memory', 'stdio', 'http', 'websocket', 'tcp', 'url', 'message-port'].flatMap((transport) => [
    `${transport} 2026-07-28`,
    `${transport} 2025-11-25`,
  ]),
  'sse 2025-11-25',
];

/** What `npm start` runs once everything is built. */
function demo(
  ...args: readonly string[]
): Promise<{ code: number; lines: readonly string[]; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, lines: stdout.trimEnd().split('\n'), stderr });
    });
  });
}

describe('the demo as a program', () => {
  it('passes over every transport in every era, and prints real figures of this repository', async () => {
    const { code, lines } = await demo();
    expect(lines.find((line) => line.startsWith('this repository:'))).toMatch(
      /: \d{3,} resources of \d{3,} KiB/,
    );
    expect(lines.filter((line) => line.startsWith('failed: '))).toEqual([]);
    for (const row of rows) {
      expect(lines.filter((line) => line.startsWith(`${row} `) && !line.includes('FAILED'))).toHaveLength(1);
    }
    expect(lines.filter((line) => /^\S+ \d{4}-\d{2}-\d{2} /.test(line))).toHaveLength(rows.length);
    const [, allowed, tried] = /allow: (\d+), cells that were tried: (\d+)$/.exec(lines.at(-2) ?? '') ?? [];
    expect(tried).toBe(allowed);
    expect(lines.at(-1)).toBe(`demo: ${tried} passed, 0 failed`);
    expect(code).toBe(0);
  });

  // Breaking each of them is tried in memory, apart from the demo.
  const broken = [
    ['tools', 'tools'],
    ['resources', 'read'],
    ['sampling', 'sampling'],
  ] as const;
  it.each(exhaustive ? broken : [])(
    'prints failures over every transport and exits 1 with --break %s',
    async (broken, column) => {
      const { code, lines } = await demo('--break', broken);
      for (const row of rows) {
        expect(lines.filter((line) => line.startsWith(`failed: ${row} ${column}: `))).toHaveLength(1);
      }
      expect(lines.at(-1)).toMatch(/^demo: \d+ passed, [1-9]\d* failed$/);
      expect(code).toBe(1);
    },
  );

  it('exits 2 for an unknown primitive', async () => {
    const { code, stderr } = await demo('--break', 'nonsense');
    expect(code).toBe(2);
    expect(stderr).toContain('tools, resources, prompts, sampling, roots, elicitation, logging, completion');
  });
});
