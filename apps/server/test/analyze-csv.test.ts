import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'rxmcp';
import { type ToolResult, tools } from 'rxmcp/tools';
import { describe, expect, it } from 'vitest';
import { desk, revisions, tempFolder } from './desk.js';

interface Figures {
  readonly rows: number;
  readonly columns: readonly { column: string; sum?: number; average?: number; count?: number }[];
  readonly skipped: readonly { column: string; reason: string }[];
}

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('');

// Made here, so that the figures can be computed a second time from the same numbers.
const measured = Array.from({ length: 997 }, (_, at) => ({
  name: at % 7 === 0 ? `quoted, "${at}"` : `row ${at}`,
  micros: ((at * 7_919) % 1_000) / 8,
  tiny: at === 0 ? 1e16 : 1,
  gap: at % 3 === 0 ? undefined : at - 500,
}));
const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = `\ufeffname,micros,tiny,gap\r\n${measured
  .map(({ name, micros, tiny, gap }) => `${quoted(name)},${micros},${tiny},${gap ?? ''}\r\n`)
  .join('')}`;

describe.each(revisions)('analyze_csv in %s', (version) => {
  it('returns the figures of a second computation', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'bench.csv'), csv);
    const remote = await desk({ root }, { version });
    const operations = ['sum', 'average', 'count'];
    const result = await once(tools(remote).call('analyze_csv', { filepath: 'bench.csv', operations }));
    const found = JSON.parse(textOf(result)) as Figures;
    const micros = measured.map((row) => row.micros);
    const gaps = measured.flatMap(({ gap }) => (gap === undefined ? [] : [gap]));
    const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
    expect(found.rows).toBe(997);
    expect(found.skipped).toEqual([{ column: 'name', reason: 'it holds something that is no number' }]);
    expect(found.columns).toEqual([
      { column: 'micros', sum: sum(micros), average: sum(micros) / 997, count: 997 },
      // In plain addition every second one is lost against the large number; whole numbers stay exact.
      {
        column: 'tiny',
        sum: Number(10n ** 16n + 996n),
        average: Number(10n ** 16n + 996n) / 997,
        count: 997,
      },
      { column: 'gap', sum: sum(gaps), average: sum(gaps) / gaps.length, count: gaps.length },
    ]);
  });

  it('returns only the figures that were requested', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'a.csv'), 'x,__proto__\n1,5\n2,6\n');
    const remote = await desk({ root }, { version });
    const result = await once(
      tools(remote).call('analyze_csv', { filepath: 'a.csv', operations: ['count'] }),
    );
    expect((JSON.parse(textOf(result)) as Figures).columns).toEqual([
      { column: 'x', count: 2 },
      { column: '__proto__', count: 2 },
    ]);
  });

  it('skips columns that are too large for numbers, and reports it', async () => {
    const root = await tempFolder();
    const rows = ['1e999,1e308,1e308,,1', '2,1e308,1e308,,2', '3,1e308,-1e308,,3'];
    await writeFile(join(root, 'large.csv'), `one,sum,both,none,fine\n${rows.join('\n')}\n`);
    const remote = await desk({ root }, { version });
    const operations = ['sum', 'average'];
    const result = await once(tools(remote).call('analyze_csv', { filepath: 'large.csv', operations }));
    const found = JSON.parse(textOf(result)) as Figures;
    expect(found.columns).toEqual([{ column: 'fine', sum: 6, average: 2 }]);
    const reason = 'its numbers are too large to add up';
    expect(found.skipped).toEqual([
      { column: 'one', reason },
      { column: 'sum', reason },
      { column: 'both', reason },
      { column: 'none', reason: 'it is empty' },
    ]);
  });

  it.each([
    ['', 'empty'],
    ['a,b\n"open,1\n', 'not valid CSV'],
  ])('reports what is wrong with %j', async (content, problem) => {
    const root = await tempFolder();
    await writeFile(join(root, 'bad.csv'), content);
    const remote = await desk({ root }, { version });
    const result = await once(
      tools(remote).call('analyze_csv', { filepath: 'bad.csv', operations: ['sum'] }),
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(problem);
  });
});
