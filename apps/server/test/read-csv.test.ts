import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Column } from '../src/tools/column-figures.js';
import { type CsvFigures, readCsv } from '../src/tools/read-csv.js';
import { tempFolder } from './desk.js';

async function figuresOf(csv: string, read = (_rows: number): void => undefined): Promise<CsvFigures> {
  const path = join(await tempFolder(), 'a.csv');
  await writeFile(path, csv);
  const file = await open(path);
  onTestFinished(() => file.close());
  return readCsv(file, { signal: new AbortController().signal, read });
}

const names = Array.from({ length: 1_000 }, (_, at) => `c${at}`).join(',');

it('the cost of a row depends on its cells, not on the number of names', async () => {
  const add = vi.spyOn(Column.prototype, 'add');
  onTestFinished(() => add.mockRestore());
  const { rows } = await figuresOf(`${names}\n${'1\n'.repeat(500)}`);
  expect(rows).toBe(500);
  expect(add).toHaveBeenCalledTimes(500);
});

it('rows that are shorter or longer than the first count, and cause no errors', async () => {
  const traced = vi.spyOn(Error, 'captureStackTrace');
  onTestFinished(() => traced.mockRestore());
  const { rows, columns } = await figuresOf(`a,b\n${'1\n1,2,3\n'.repeat(500)}`);
  expect(traced.mock.calls.length).toBeLessThan(100);
  expect(rows).toBe(1_000);
  expect(columns.map((column) => column.figures())).toEqual([
    { column: 'a', sum: 1_000, average: 1, count: 1_000 },
    { column: 'b', sum: 1_000, average: 2, count: 500 },
  ]);
});

it('other work runs while it is read', async () => {
  let turns = 0;
  let reading = true;
  const turn = (): void => {
    turns += 1;
    if (reading) setImmediate(turn);
  };
  turn();
  onTestFinished(() => void (reading = false));
  const turnsAt: number[] = [];
  await figuresOf(`a\n${'1\n'.repeat(200_000)}`, () => turnsAt.push(turns));
  expect(turnsAt).toHaveLength(20);
  for (const [at, now] of turnsAt.slice(1).entries()) expect(now).toBeGreaterThan(turnsAt[at]!);
});
