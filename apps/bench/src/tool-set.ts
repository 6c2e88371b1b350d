import * as z from 'zod';

/** The description of every tool, the same for all contestants. */
export const description = 'Returns its text.';

/** What every contestant takes as arguments. */
export const input = z.object({ text: z.string() });

/** The names of the tools of a server with that many; `echo`, the one that is called, is the last. */
export function toolNames(count: number): string[] {
  return [...Array.from({ length: count - 1 }, (_, index) => `tool_${index + 1}`), 'echo'];
}

/** The same tools as entries of a list, for the floor, which has no library to make them. */
export function toolEntries(count: number): object[] {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input);
  return toolNames(count).map((name) => ({ name, description, inputSchema }));
}
