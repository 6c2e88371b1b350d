import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder, usePrograms } from './program.js';

const { path, run } = usePrograms();
const sacramento = ['latitude=38.58', 'longitude=-121.49'];

it.each([
  [['get-alerts', 'state=TX'], 0, 'Event: Heat Advisory'],
  [['get-forecast', ...sacramento], 0, 'Temperature: 72°F'],
  [['get-forecast', 'latitude=51.5072', 'longitude=-0.1276'], 1, 'Unable to fetch forecast data'],
  [['get-alerts', 'state=12'], 1, 'expected two letters'],
  [['get-forecast', 'latitude=north'], 1, 'is not valid JSON'],
  [['get-tides'], 1, 'get-tides'],
])('calls %j', async (words, code, text) => {
  const finished = await run('client', [path('main'), '--offline', ...words]);
  expect(finished.stdout).toContain(text);
  expect(finished.code).toBe(code);
});

it('lists the tools, and calls them from a prompt', async () => {
  const input = 'get-alerts state=CA\n\nget-tides\nget-alerts state=TX\nquit\nget-alerts state=CA\n';
  const { code, stdout } = await run('client', [path('main'), '--offline'], { input });
  expect(code).toBe(0);
  expect(stdout).toContain('get-alerts: Returns the active weather alerts of a US state.\n');
  expect(stdout.match(/No active alerts for this state/g)).toHaveLength(1);
  expect(stdout.indexOf('Heat Advisory')).toBeGreaterThan(stdout.indexOf('No active alerts'));
});

it('the end of input ends it', async () => {
  expect((await run('client', [path('main'), '--offline'])).code).toBe(0);
});

it('without a server it prints the usage, with exit code 2', async () => {
  const { code, stderr } = await run('client', []);
  expect(code).toBe(2);
  expect(stderr).toContain('usage: node client.js SERVER.js');
});

it('a server that does not start ends it with exit code 1', async () => {
  expect((await run('client', [join(await tempFolder(), 'missing.js'), 'get-alerts'])).code).toBe(1);
});

it('text of a server does not control the terminal', async () => {
  const server = join(await tempFolder(), 'server.mjs');
  await writeFile(
    server,
    `import { createInterface } from 'node:readline';
     const tool = { name: 'clear', description: '\\u001b[2Jclears', inputSchema: { type: 'object' } };
     const results = {
       initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
       'tools/list': { tools: [tool] },
       'tools/call': { content: [{ type: 'text', text: '\\u001b[31mred\\nline' }] },
     };
     for await (const line of createInterface({ input: process.stdin })) {
       const { id, method } = JSON.parse(line);
       const response = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'none' } };
       if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...response }));
     }`,
  );
  const { stdout } = await run('client', [server], { input: 'clear\n' });
  expect(stdout).toContain('clear: [2Jclears\n');
  expect(stdout).toContain('[31mred\nline\n');
  expect(stdout).not.toContain('\u001b');
});

it('the guide shows this client', async () => {
  const read = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), 'utf8');
  const guide = await read('../../../docs/quickstart-client.md');
  expect(guide).toContain(`title="client/client.ts"\n${await read('../src/client.ts')}\`\`\`\n`);
});
