import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Row } from '../settings.js';

const columns = {
  transport: (row: Row) => row.transport,
  era: (row: Row) => row.era,
  tools: (row: Row) => row.tools,
  in_flight: (row: Row) => row.inFlight,
  phase: (row: Row) => row.phase,
  contestant: (row: Row) => row.contestant,
  round: (row: Row) => row.round,
  calls: (row: Row) => row.calls,
  cpu_us_per_call: (row: Row) => row.cpuMicros,
  calls_per_s: (row: Row) => row.callsPerSecond,
  p50_us: (row: Row) => row.p50Micros,
  p99_us: (row: Row) => row.p99Micros,
  heap_bytes: (row: Row) => row.heapBytes ?? Number.NaN,
};

/** The raw rows as CSV (RFC 4180 with line feeds): one line of names, an empty cell for what was not measured. */
export function csvOf(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    Object.values(columns)
      .map((cell) => written(cell(row)))
      .join(','),
  );
  return [Object.keys(columns).join(','), ...lines, ''].join('\n');
}

/** Writes the raw rows to a file, whose folder is made. */
export async function writeCsv(path: string, rows: readonly Row[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, csvOf(rows));
}

function written(value: string | number): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return '';
    return Number.isInteger(value) ? String(value) : value.toFixed(3);
  }
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
