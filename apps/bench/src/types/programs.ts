const count = 100;

/** A program with a hundred tools with schemas and a hundred calls whose results have types, written for each of the two. */
export const programs: Readonly<Record<'v2' | 'rxmcp', string>> = {
  v2: `import { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
const info = { name: 'types', version: '1.0.0' };
const server = new McpServer(info);
${each(
  (i) => `const output${i} = ${outputOf(i)};
server.registerTool('tool_${i}', { inputSchema: ${inputOf(i)}, outputSchema: output${i} }, ({ text${i}, count${i} }) => {
  const structuredContent = { total${i}: count${i} ?? 0, names${i}: [text${i}] };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
});`,
)}
const client = new Client(info);
${each(
  (i) => `const result${i} = await client.callTool({ name: 'tool_${i}', arguments: ${argumentsOf(i)} });
export const total${i}: number = result${i}.isError === true ? 0 : output${i}.parse(result${i}.structuredContent).total${i};`,
)}
`,
  rxmcp: `import { defineClient, defineServer, offerTools, tool, tools } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import * as z from 'zod';
const info = { name: 'types', version: '1.0.0' };
${each(
  (
    i,
  ) => `const tool${i} = tool('tool_${i}', { input: ${inputOf(i)}, output: ${outputOf(i)} }, ({ text${i}, count${i} }) => {
  return { total${i}: count${i} ?? 0, names${i}: [text${i}] };
});`,
)}
const server = defineServer({ info, offers: [offerTools([${each((i) => `tool${i}`, ', ')}])] });
const remote = await defineClient({ info }).connect(memory());
const typed = tools<typeof server>(remote);
${each(
  (i) => `const result${i} = await typed.call('tool_${i}', ${argumentsOf(i)});
export const total${i}: number = result${i}.isError === true ? 0 : result${i}.structuredContent.total${i};`,
)}
`,
};

function inputOf(i: number): string {
  return `z.object({ text${i}: z.string(), count${i}: z.number().optional(), kind${i}: z.enum(['a', 'b', 'c${i}']) })`;
}

function outputOf(i: number): string {
  return `z.object({ total${i}: z.number(), names${i}: z.array(z.string()) })`;
}

function argumentsOf(i: number): string {
  return `{ text${i}: 'x', kind${i}: 'c${i}' }`;
}

function each(text: (index: number) => string, separator = '\n'): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(separator);
}
