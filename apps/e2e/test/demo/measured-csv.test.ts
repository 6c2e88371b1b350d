import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineClient, once } from 'rxmcp';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Remote } from 'rxmcp';
import { repository } from '../repository.js';

const filepath = 'apps/bench/results/latest.csv';

interface Figures {
  readonly column: string;
  readonly sum: number;
  readonly average: number;
  readonly count: number;
}

/** The second computation: no CSV library, and sums from the smallest number up. */
function computed(column: string): Figures {
  const [head, ...lines] = readFileSync(join(repository, filepath), 'utf8').trim().split('\n');
  const cellsOf = (line: string): string[] =>
    (line.match(/"[^"]*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? []) as string[];
  const at = cellsOf(head as string).indexOf(column);
  const numbers = lines
    .map((line) => cellsOf(line)[at] ?? '')
    .filter((cell) => cell !== '')
    .map(Number);
  const sum = numbers.sort((a, b) => a - b).reduce((total, number) => total + number, 0);
  return { column, sum, average: sum / numbers.length, count: numbers.length };
}

let remote: Remote;
beforeAll(async () => {
  const args = [join(repository, 'apps/server/dist/main.js'), '--stdio', '--root', repository];
  remote = await defineClient({ info: { name: 'e2e', version: '1' } }).connect(
    stdio({ command: process.execPath, args }),
  );
});
afterAll(() => remote.close());

it('analyze_csv agrees with a second computation over the rows that the bench measured', async () => {
  const operations = ['sum', 'average', 'count'];
  const { structuredContent } = await once(tools(remote).call('analyze_csv', { filepath, operations }));
  const { rows, columns } = structuredContent as { rows: number; columns: readonly Figures[] };
  expect(rows).toBeGreaterThan(0);
  for (const name of ['calls', 'cpu_us_per_call', 'p99_us']) {
    const told = columns.find((column) => column.column === name) as Figures;
    const again = computed(name);
    expect(told.count).toBe(again.count);
    expect(told.sum).toBeCloseTo(again.sum, 6);
    expect(told.average).toBeCloseTo(again.average, 6);
  }
});
