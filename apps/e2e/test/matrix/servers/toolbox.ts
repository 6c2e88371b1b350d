import { BehaviorSubject, concat, map, of, range } from 'rxjs';
import type { Server } from 'rxmcp';
import { defineServer, offerMethod, progressItem } from 'rxmcp';
import type { Tool } from 'rxmcp/tools';
import { offerTools, text, tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';

const files = new Map([['sales.csv', 'city,amount\nLyon,10\n北京,20.5\nOslo,12\n']]);

const calculateSum = tool(
  'calculate_sum',
  {
    description: 'Add two numbers together. Example: {"a": 2, "b": 3} gives 5.',
    input: z.object({ a: z.number(), b: z.number() }),
    annotations: { title: 'Calculate Sum', readOnlyHint: true, openWorldHint: false },
  },
  ({ a, b }) => text(String(a + b)),
);

const analyzeCsv = tool(
  'analyze_csv',
  {
    description:
      'Analyze a CSV file: the last column, as {"sum", "average", "count"}, whichever were asked for.',
    input: z.object({ filepath: z.string(), operations: z.array(z.enum(['sum', 'average', 'count'])) }),
    output: z.object({
      sum: z.number().optional(),
      average: z.number().optional(),
      count: z.number().optional(),
    }),
  },
  ({ filepath, operations }) => {
    const found = files.get(filepath);
    if (found === undefined) throw new ToolError(`找不到文件 ${filepath}`);
    const rows = found.trim().split('\n').slice(1);
    const sum = rows.reduce((total, row) => total + Number(row.split(',').at(-1)), 0);
    const figures = { sum, average: sum / rows.length, count: rows.length };
    return Object.fromEntries(operations.map((operation) => [operation, figures[operation]]));
  },
);

const countLines = tool('count_lines', { input: z.object({ to: z.number().int() }) }, ({ to }) =>
  concat(
    range(1, to).pipe(map((done) => progressItem(done, to, `第 ${done} 行`))),
    of(text(`Counted to ${to}.`)),
  ),
);

const extra = (name: string, description: string): Tool =>
  tool(name, { description }, () => text(description));

/** The tools of the guides; `guide/tools` adds, changes and removes a further one while it runs. */
export function toolbox(): Server {
  const fixed = [calculateSum, analyzeCsv, countLines];
  const all = new BehaviorSubject<readonly Tool[]>(fixed);
  const change = offerMethod('guide/tools', {}, ({ name, description }) => {
    all.next(description === undefined ? fixed : [...fixed, extra(String(name), String(description))]);
    return {};
  });
  return defineServer({
    info: { name: 'example-tools-server', version: '1.0.0' },
    offers: [change, offerTools(all)],
  });
}
