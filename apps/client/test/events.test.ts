import { describe, expect, it } from 'vitest';
import { atTerminal, screenOf } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { urlServer } from './url-server.js';

const { run, start, served, program } = useCli();

describe.each([
  ['modern', 'server/discover'],
  ['legacy', 'ping'],
])('ping to %s servers', (protocol, method) => {
  it(`sends ${method}`, async () => {
    const { code, lines } = await run(['ping', '--protocol', protocol, ...(await served())]);
    expect(lines).toEqual([{ method, ms: expect.any(Number) as number }]);
    expect(code).toBe(0);
  });
});

describe('logs', () => {
  it('says that a server of the modern era logs only in requests', async () => {
    const { shown, child, finished } = start(['logs', ...(await served())]);
    await shown('since 2026-07-28 a server logs only while it handles a request');
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
  });

  it('waits over HTTP too, where no connection keeps the process alive', async () => {
    const { url } = await urlServer('http');
    const { shown, child, finished } = start(['logs', url]);
    await shown('since 2026-07-28 a server logs only while it handles a request');
    expect((await run(['ping', url])).code).toBe(0);
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
  });

  it('rejects an unknown level', async () => {
    const { code, stderr } = await run(['logs', '--level', 'loud', ...(await served())]);
    expect(stderr).toContain('--level "loud" must be one of debug, info,');
    expect(code).toBe(2);
  });

  it('prints records as lines', async () => {
    const script = `
      const say = (o) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const info = { protocolVersion: '2025-06-18', capabilities: { logging: {} }, serverInfo: { name: 's', version: '0' } };
        if (method === 'initialize') say({ id, result: info });
        else if (method === 'logging/setLevel') {
          say({ id, result: {} });
          say({ method: 'notifications/message', params: { level: params.level, logger: 'disk', data: { free: 1 } } });
        } else if (id !== undefined) say({ id, error: { code: -32601, message: 'no' } });
      });`;
    const { shown, child, finished } = start([
      'logs',
      '--level',
      'warning',
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    await shown('disk');
    child.kill('SIGINT');
    const { lines, stderr } = await finished;
    expect(lines).toEqual([{ type: 'log', level: 'warning', logger: 'disk', data: { free: 1 } }]);
    // The record is not shown twice.
    expect(stderr).not.toContain('disk');
  });
});

describe.each(['modern', 'legacy'])('listen to %s servers', (protocol) => {
  it('prints the lists, and each change of a resource', async () => {
    const { shown, child, finished } = start([
      'listen',
      'test://clock',
      '--protocol',
      protocol,
      ...(await served()),
    ]);
    await Promise.all([shown('tick 2'), shown('"tools"'), shown('"prompts"')]);
    child.kill('SIGINT');
    const { code, lines } = await finished;
    expect(lines).toContainEqual({
      type: 'prompts',
      count: 2,
      added: ['greet', 'debate'],
      removed: [],
    });
    expect(lines).toContainEqual(expect.objectContaining({ type: 'resource', uri: 'test://clock' }));
    expect(code).toBe(130);
  });
});

it('listen shows a table at a terminal', async () => {
  const words = program('listen', 'test://clock', ...(await served()));
  const { shown, code } = await atTerminal(words, { columns: 80, typed: [['tick 2', '\u0003']] });
  const rows = screenOf(shown);
  const table = rows.slice(rows.findLastIndex((row) => row.startsWith('name')));
  expect(table[0]).toMatch(/^name +changes +at +value$/);
  expect(table.join('\n')).toMatch(/^prompts +0 +[\d:]{8} +2: \+greet/m);
  expect(table.join('\n')).toMatch(/^test:\/\/clock +\d+ +[\d:]{8} +tick \d+$/m);
  expect(code).toBe(130);
});
