import { type Row, features } from './run-demo.js';

/** The table, the failures and the count, as lines; and whether all is well. */
export function report(rows: readonly Row[]): { readonly lines: readonly string[]; readonly good: boolean } {
  const cells = rows.flatMap((row) => [...row.cells.values()]);
  const passed = cells.filter((cell) => cell === 'passed').length;
  const allowed = rows.reduce((sum, row) => sum + row.allowed, 0);
  const failed = cells.length - passed;
  const lines = [
    ...table(rows),
    '',
    ...failures(rows),
    `cells that the traits allow: ${allowed}, cells that were tried: ${cells.length}` +
      (allowed === cells.length ? '' : ': these must be equal'),
    `demo: ${passed} passed, ${failed} failed`,
  ];
  return { lines, good: failed === 0 && passed > 0 && allowed === cells.length };
}

function table(rows: readonly Row[]): string[] {
  const names = features.map(({ name }) => name);
  const body = rows.map(({ transport, version, cells }) => [
    `${transport} ${version}`,
    ...names.map((name) => word(cells.get(name))),
  ]);
  const lines = [['', ...names], ...body];
  const widths = lines[0]?.map((_cell, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function word(cell: 'passed' | Error | undefined): string {
  if (cell === undefined) return '-';
  return cell === 'passed' ? 'ok' : 'FAILED';
}

function failures(rows: readonly Row[]): string[] {
  return rows.flatMap(({ transport, version, cells }) =>
    [...cells].flatMap(([name, cell]) =>
      cell === 'passed' ? [] : [`failed: ${transport} ${version} ${name}: ${cell.message}`],
    ),
  );
}
