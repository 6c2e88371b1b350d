import { writeSync } from 'node:fs';

const mebibyte = 1024 * 1024;

/** A column: its head, and how its figures are written. */
export type Column = readonly [head: string, unit: 'bytes' | 'ms'];

/** The figures of one attack, in the order of the columns. */
export type Row = readonly [attack: string, ...figures: number[]];

/** Prints a table of attacks. Its last row has the worst figure of each column. */
export function printTable(columns: readonly Column[], rows: readonly Row[]): void {
  const worst = columns.map((_, at) => Math.max(...rows.map((row) => Number(row[at + 1]))));
  const written = (figure: number, at: number): string =>
    columns[at]?.[1] === 'bytes' ? `${(figure / mebibyte).toFixed(1)} MiB` : `${figure.toFixed(0)} ms`;
  const lines = [...rows, ['worst', ...worst] as const].map(([name, ...figures]) =>
    [name, ...figures.map(written)].join(' | '),
  );
  const head = ['attack', ...columns.map(([name]) => name)].join(' | ');
  // Not by the console, whose output is hidden where tests pass.
  writeSync(2, `${[head, ...lines].join('\n')}\n`);
}
