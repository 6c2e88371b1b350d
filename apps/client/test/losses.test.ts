import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';
import { urlServer } from './url-server.js';

const { start, program } = useCli();

/** Words that start a server with one resource, which exits after its first answers, a number of times. */
async function dying(times: number): Promise<readonly string[]> {
  const folder = await tempFolder();
  const file = join(folder, 'dying.mjs');
  await writeFile(file, dyingServer);
  return ['--', process.execPath, file, join(folder, 'starts'), `${times}`];
}

const dyingServer = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [file, times] = process.argv.slice(2);
appendFileSync(file, '.');
const starts = readFileSync(file, 'utf8').length;
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const capabilities = { resources: { subscribe: true } };
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'dying', version: '0' } },
    'resources/list': { resources: [{ uri: 'test://a', name: 'a' }] },
    'resources/read': { contents: [{ uri: 'test://a', text: 'start ' + starts }] },
    'resources/subscribe': {},
  };
  const result = answers[method];
  say(result === undefined ? { id, error: { code: -32601, message: 'unknown' } } : { id, result });
  if (method === 'resources/read' && starts <= Number(times)) setImmediate(() => process.exit(7));
});
`;

const connection = (state: string): object =>
  expect.objectContaining({ type: 'connection', state }) as object;

it('watch says that its server ended, and continues with the next one', async () => {
  const { child, shown, finished } = start(['watch', 'test://a', ...(await dying(1))]);
  await shown('start 2');
  child.kill('SIGINT');
  const { code, lines, stderr } = await finished;
  expect(stderr).toMatch(/^the connection was lost, and is opened again: .*code 7/m);
  expect(stderr).toContain('connected again\n');
  expect(lines).toEqual([
    { contents: [expect.objectContaining({ text: 'start 1' })] },
    connection('lost'),
    connection('open'),
    { contents: [expect.objectContaining({ text: 'start 2' })] },
  ]);
  expect(code).toBe(130);
});

it('watch ends with 8 if its server ends again and again', async () => {
  const { finished } = start(['watch', 'test://a', ...(await dying(99))]);
  const { code, lines, stderr } = await finished;
  expect(stderr).toMatch(/^the connection was lost 6 times: .*code 7.*Run its command alone to see why\n$/m);
  expect(lines.filter((line) => (line as { state?: string }).state === 'lost')).toHaveLength(5);
  expect(code).toBe(8);
});

it.each([
  ['ws', 'modern'],
  ['sse', '2024-11-05'],
  ['http', 'modern'],
  ['http', '2025-11-25'],
] as const)(
  'watch over %s with --protocol %s says that its server went, and finds it again',
  async (carrier, era) => {
    const first = await urlServer(carrier);
    const { child, shown, finished } = start(['watch', 'test://clock', first.url, '--protocol', era]);
    await shown('tick 1');
    await first.end();
    // A session over HTTP outlives its streams: it is lost once a server does not know it.
    if (era !== '2025-11-25') await shown('"state":"lost"');
    await urlServer(carrier, { port: Number(new URL(first.url).port) });
    await shown('"state":"lost"');
    await shown('"state":"open"');
    child.kill('SIGINT');
    const { code, stderr } = await finished;
    expect(stderr).toContain('the connection was lost, and is opened again');
    expect(stderr).toContain('connected again');
    expect(code).toBe(130);
  },
);

it('listen says it at a terminal, above its table', async () => {
  const words = program('listen', 'test://a', ...(await dying(1)));
  const { shown, code } = await atTerminal(words, { typed: [['start 2', '\u0003']] });
  expect(shown).toContain('the connection was lost, and is opened again: ');
  expect(shown).toContain('connected again');
  expect(code).toBe(130);
});
