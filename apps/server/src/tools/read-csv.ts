import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { ToolError } from 'rxmcp/tools';
import { Column } from './column-figures.js';

/** What a CSV holds. */
export interface CsvFigures {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/**
 * Sums the columns of a CSV file (RFC 4180, names in its first line) while it is being read. `read` is called now and then
 * with the number of rows so far. Rejects with a ToolError for an invalid CSV file.
 */
export async function readCsv(
  file: FileHandle,
  options: { readonly signal: AbortSignal; readonly read: (rows: number) => void },
): Promise<CsvFigures> {
  const { signal, read } = options;
  const rows = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1_048_576,
  });
  // Each row counts as the first: of every other that is not as long as that one an error would be made, which costs much.
  Object.defineProperty(rows.info, 'records', { get: () => 0, set: () => undefined });
  // Errors are thrown by the iteration below.
  pipeline(file.createReadStream({ autoClose: false }), addAbortSignal(signal, rows), () => undefined);
  let columns: Column[] | undefined;
  let count = 0;
  let cells = 0;
  try {
    for await (const row of rows as AsyncIterable<readonly string[]>) {
      if (columns === undefined) {
        columns = named(row);
        continue;
      }
      row.forEach((cell, at) => columns?.[at]?.add(cell));
      count += 1;
      cells += row.length;
      if (cells >= cellsPerTurn) {
        cells = 0;
        await setImmediate();
      }
      if (count % 10_000 === 0) read(count);
      if (count > maxRows) throw new ToolError(`the file has more than ${maxRows} rows`);
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new ToolError(`the file is not valid CSV: ${error.message}`, { cause: error });
    throw error;
  }
  if (columns === undefined) throw new ToolError('the file is empty');
  return { rows: count, columns };
}

/** After so many cells others have their turn: reading a file gives none where the rows of one piece of it are many. */
const cellsPerTurn = 2_000;
const maxRows = 5_000_000;
const maxColumns = 1_000;

function named(row: readonly string[]): Column[] {
  if (row.length > maxColumns) throw new ToolError(`the file has more than ${maxColumns} columns`);
  return row.map((name, at) => new Column(name.trim() === '' ? `column ${at + 1}` : name.trim()));
}
