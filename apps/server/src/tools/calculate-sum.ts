import { text, tool, type Tool } from 'rxmcp/tools';
import * as z from 'zod';

/** Adds two numbers. */
export const calculateSum: Tool = tool(
  'calculate_sum',
  {
    title: 'Calculate a sum',
    description: 'Adds two numbers, such as {"a": 2, "b": 3}; gives the sum as text.',
    input: z.object({ a: z.number(), b: z.number() }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  ({ a, b }) => text(String(a + b)),
);
