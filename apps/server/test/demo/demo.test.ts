import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Connection, Traits } from 'rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { report } from '../../src/demo/report.js';
import { type Built, inMemory } from '../../src/demo/links.js';
import { type Primitive, primitives } from '../../src/demo/served.js';
import { features, runDemo, type Row } from '../../src/demo/run-demo.js';

const failed = ({ cells }: Row): string[] =>
  [...cells].flatMap(([name, cell]) => (cell === 'passed' ? [] : name));

describe('the demo in memory', () => {
  it('passes in both eras, with as many cells as the traits allow, and leaves no folder', async () => {
    const rows = await runDemo([inMemory]);
    expect(rows.map(({ transport, version }) => `${transport} ${version}`)).toEqual([
      'memory 2026-07-28',
      'memory 2025-11-25',
    ]);
    expect(rows.flatMap(failed)).toEqual([]);
    const { lines, good } = report(rows);
    expect(lines.at(-1)).toBe(`demo: ${2 * features.length} passed, 0 failed`);
    expect(good).toBe(true);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`rxmcp-demo-${process.pid}-`))).toEqual(
      [],
    );
  });

  const viaTools = ['sampling', 'roots', 'elicitation', 'logging'];
  const dependent: Readonly<Record<Primitive, readonly string[]>> = {
    tools: ['tools', 'progress', 'cancel', ...viaTools],
    resources: ['read', 'templates', 'watch', 'lists', 'elicitation'],
    prompts: ['prompts'],
    sampling: ['sampling'],
    roots: ['roots'],
    elicitation: ['elicitation'],
    logging: ['logging'],
    completion: ['completion'],
  };

  it.each(primitives)('fails where expected with broken %s, and only there', async (broken) => {
    const rows = await runDemo([inMemory], { broken, cellMs: 2_500 });
    for (const row of rows) expect(failed(row)).toEqual(dependent[broken]);
    const { lines, good } = report(rows);
    expect(good).toBe(false);
    expect(lines.at(-1)).toMatch(new RegExp(`^demo: \\d+ passed, ${2 * dependent[broken].length} failed$`));
  });
});

describe('the traits', () => {
  const limited = (traits: Partial<Traits>): Built => ({
    name: 'limited',
    async open(folder, broken) {
      const link = await inMemory.open(folder, broken);
      const dial = async (): Promise<Connection> => {
        const inner = await link.transport.dial();
        return {
          traits: { ...inner.traits, ...traits },
          start: (receiver) => inner.start(receiver),
          send: (out, envelope) => inner.send(out, envelope),
          endLane: (lane) => inner.endLane(lane),
          close: () => inner.close(),
        };
      };
      return { ...link, transport: { name: 'limited', dial } };
    },
  });

  it('leave out an era that the transport does not carry', async () => {
    const rows = await runDemo([limited({ versions: ['2025-11-25'] })], { cellMs: 2_500 });
    expect(rows.map(({ version }) => version)).toEqual(['2025-11-25']);
    expect(rows.flatMap(failed)).toEqual([]);
  });

  it('omit what cannot be pushed or answered in the legacy era', async () => {
    const rows = await runDemo([limited({ serverInitiates: false, clientReplies: false })], {
      cellMs: 2_500,
    });
    const names = rows.map(({ cells }) => [...cells.keys()]);
    expect(names[0]).toEqual(features.map(({ name }) => name));
    const forbidden = ['watch', 'lists', 'sampling', 'roots', 'elicitation'];
    expect(names[1]).toEqual(features.map(({ name }) => name).filter((name) => !forbidden.includes(name)));
  });
});

describe('the report', () => {
  const cells = new Map<string, 'passed' | Error>([['tools', 'passed']]);

  it('fails where fewer cells were tried than the traits allow', () => {
    const { lines, good } = report([{ transport: 'x', version: '2025-11-25', allowed: 2, cells }]);
    expect(good).toBe(false);
    expect(lines.at(-2)).toContain('allow: 2, cells that were tried: 1: these must be equal');
  });

  it('fails where nothing was tried', () => {
    expect(report([]).good).toBe(false);
  });

  it('shows a cell that is not carried as "-"', () => {
    const { lines } = report([{ transport: 'x', version: '2025-11-25', allowed: 1, cells }]);
    expect(lines[1]).toMatch(/^x 2025-11-25 +ok +- /);
  });
});
