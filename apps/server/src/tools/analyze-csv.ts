import { tool, type Tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';
import type { Folder } from '../folder/folder.js';
import { openFile } from '../folder/open-file.js';
import type { Journal } from '../journal/journal.js';
import type { ColumnFigures } from './column-figures.js';
import { readCsv } from './read-csv.js';
import { scopeOf } from './scope.js';

const operation = z.enum(['sum', 'average', 'count']);

const output = z.object({
  filepath: z.string(),
  rows: z.int().describe('Without the line of names'),
  columns: z.array(
    z.object({
      column: z.string(),
      sum: z.number().optional(),
      average: z.number().optional(),
      count: z.int().optional().describe('Cells with a number'),
    }),
  ),
  skipped: z.array(z.object({ column: z.string(), reason: z.string() })).describe('Columns without figures'),
  scope: z.string(),
});

const maxBytes = 256 * 1_048_576;

/** Sums, averages and counts the numeric columns of a CSV file. */
export function analyzeCsv(folder: Folder, journal: Journal): Tool {
  return tool(
    'analyze_csv',
    {
      title: 'Analyze a CSV file',
      description:
        'Figures over the numeric columns of a CSV with names in its first line, such as {"filepath": "data/sales.csv", ' +
        '"operations": ["sum", "average"]}. Commas separate, empty cells do not count.',
      input: z.object({
        filepath: z.string().min(1).max(4_096).describe('From the top of the served folder, or a file: uri'),
        operations: z.array(operation).min(1).max(3),
      }),
      output,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ filepath, operations }, ctx) => {
      const scope = await scopeOf(ctx, folder);
      const entry = await scope.file(filepath);
      if (entry.size > maxBytes) throw new ToolError(`"${entry.path}" has more than ${maxBytes} bytes`);
      const file = await openFile(folder, entry);
      try {
        const { rows, columns } = await readCsv(file, {
          signal: ctx.signal,
          read: (done) => ctx.progress(done),
        });
        const figures = columns.map((column) => column.figures());
        journal.note(ctx, 'info', `analyze_csv: ${rows} rows of ${entry.path}`);
        return {
          filepath: entry.path,
          rows,
          columns: figures.flatMap((of) => ('reason' in of ? [] : [chosen(of, operations)])),
          skipped: figures.filter((of) => 'reason' in of),
          scope: scope.said,
        };
      } finally {
        await file.close();
      }
    },
  );
}

type Operation = z.infer<typeof operation>;

function chosen(
  { column, ...figures }: ColumnFigures,
  operations: readonly Operation[],
): { readonly column: string } & { readonly [O in Operation]?: number } {
  return { column, ...Object.fromEntries(operations.map((name) => [name, figures[name]])) };
}
