import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolInfo } from 'rxmcp/tools';
import { unportable } from '../src/doctor/mcp-checks.js';
import { useCli } from './cli.js';
import { urlServer } from './url-server.js';

const { run, server } = useCli();

interface Line {
  readonly check: string;
  readonly ok: boolean;
}
const checks = (lines: readonly unknown[]): readonly string[] =>
  (lines as readonly Line[]).map(({ check, ok }) => (ok ? check : `${check} failed`));

const protocol = ['era', 'initialize', 'capabilities', 'lists', 'schemas'];

it('checks a command in order', async () => {
  const { code, lines } = await run(['doctor', ...server()]);
  expect(checks(lines)).toEqual(['resolve', ...protocol]);
  expect(lines).toContainEqual({ check: 'era', ok: true, detail: 'modern, revision 2026-07-28' });
  expect(code).toBe(0);
});

it.each([
  ['http', ['resolve', 'tcp', 'http', 'auth', ...protocol]],
  ['sse', ['resolve', 'tcp', 'http', 'auth', ...protocol]],
  ['ws', ['resolve', 'tcp', ...protocol]],
] as const)('checks a URL of %s in order', async (carrier, wanted) => {
  const { url } = await urlServer(carrier);
  const { code, lines } = await run(['doctor', url]);
  expect(checks(lines)).toEqual(wanted);
  expect(code).toBe(0);
});

/** Words that start a server of 2025-11-25. */
function answering(parts: {
  readonly initialize?: string;
  readonly capabilities?: object;
  readonly names?: readonly string[];
}): readonly string[] {
  return ['--', process.execPath, '--input-type=module', '-e', answeringServer, JSON.stringify(parts)];
}

const answeringServer = `
import { createInterface } from 'node:readline';
const { initialize, capabilities = { tools: {} }, names = ['a'] } = JSON.parse(process.argv[1]);
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize' && initialize !== undefined) return say({ id, error: { code: -32603, message: initialize } });
  if (method === 'initialize')
    return say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } } });
  if (method === 'tools/list') return say({ id, result: { tools } });
  say({ id, error: { code: -32601, message: 'unknown' } });
});
`;

describe('says the first thing wrong and the fix', () => {
  const last = (lines: readonly unknown[]): unknown => lines.at(-1);

  it('of a program that is not there', async () => {
    const { code, lines } = await run(['doctor', '--', 'no-such-program']);
    const fix = 'Install the program, or correct its name';
    const cause = 'DIAL_FAILED: cannot start "no-such-program": ENOENT';
    expect(lines).toEqual([{ check: 'resolve', ok: false, cause, fix, code: 3 }]);
    expect(code).toBe(3);
  });

  it('of a host that is not there', async () => {
    const { lines } = await run(['doctor', 'http://no-such-host.invalid/mcp']);
    expect(lines).toMatchObject([
      { check: 'resolve', ok: false, fix: expect.stringContaining('name of the host') as string },
    ]);
  });

  it('of a wrong path, a wrong scheme, and credentials', async () => {
    const { url } = await urlServer('http', { token: 'secret-of-ada' });
    const wrongPath = await run(['doctor', new URL('/wrong', url).href]);
    expect(checks(wrongPath.lines).at(-1)).toBe('http failed');
    expect(last(wrongPath.lines)).toMatchObject({ fix: 'Correct the path of the URL, such as /mcp or /sse' });
    const wrongScheme = await run(['doctor', url.replace('http:', 'https:')]);
    expect(last(wrongScheme.lines)).toMatchObject({
      check: 'tls',
      ok: false,
      fix: 'The server has no TLS there: use http: or ws:',
    });
    const none = await run(['doctor', url]);
    expect(last(none.lines)).toMatchObject({
      check: 'auth',
      ok: false,
      fix: expect.stringContaining(`rxmcp login ${url}`) as string,
    });
    expect(none.code).toBe(3);
    const wrong = await run(['doctor', url, '--header', 'authorization: Bearer wrong']);
    expect(last(wrong.lines)).toMatchObject({ check: 'auth', ok: false, fix: 'Correct the header' });
    const right = await run(['doctor', url, '--header', 'authorization: Bearer secret-of-ada']);
    expect(right.code).toBe(0);
  });

  it('of a redirect, and of a server that is broken', async () => {
    const listener = createServer(({ url }, response) => {
      response.writeHead(url === '/moved' ? 308 : 502, { location: '/mcp' }).end();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    const base = `http://127.0.0.1:${(listener.address() as { port: number }).port}`;
    expect(last((await run(['doctor', `${base}/moved`])).lines)).toMatchObject({
      check: 'http',
      fix: 'Use the URL /mcp',
    });
    expect(last((await run(['doctor', `${base}/mcp`])).lines)).toMatchObject({ check: 'http', ok: false });
  });

  it.each([
    ['tcp', ['tcp:9'], 'Start the server, or correct the address: nothing listens there', 3],
    ['era', ['--protocol', 'modern', ...answering({})], 'Leave out --protocol, or update the older side', 3],
    ['initialize', answering({ initialize: 'broken' }), 'Run it again with --debug', 3],
    [
      'capabilities',
      answering({ capabilities: {} }),
      'Declare the capability of what it offers, such as tools',
      1,
    ],
    ['lists', answering({ names: ['a', 'a'] }), 'Give each a name of its own', 1],
    ['schemas', answering({ names: ['a.b'] }), 'Use 1 to 64 of the characters', 1],
  ])('at %s, with a server that is wrong there only', async (check, to, fix, exit) => {
    const { code, lines } = await run(['doctor', ...to]);
    expect(last(lines)).toMatchObject({
      check,
      ok: false,
      code: exit,
      fix: expect.stringContaining(fix) as string,
    });
    expect(code).toBe(exit);
  });

  it('of an era that the server does not have', async () => {
    const { url } = await urlServer('sse');
    const { code, lines } = await run(['doctor', url, '--protocol', 'modern']);
    expect(last(lines)).toMatchObject({ ok: false });
    expect(code).toBe(3);
  });
});

describe('the portability of a tool', () => {
  const tool = (more: object): ToolInfo =>
    ({ name: 'x', inputSchema: { type: 'object' }, ...more }) as ToolInfo;

  it.each([
    [{}, undefined],
    [{ name: 'a.b' }, 'a name that APIs of models reject'],
    [{ name: 'a'.repeat(65) }, 'a name that APIs of models reject'],
    [{ inputSchema: {} }, 'no "type": "object"'],
    [{ inputSchema: { type: 'object', anyOf: [] } }, '"anyOf" at the top'],
    [{ inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } }, undefined],
    [{ inputSchema: { type: 'object', properties: { a: { $ref: 'https://a/b' } } } }, '"https://a/b"'],
  ])('%j', (more, named) => {
    const found = unportable(tool(more));
    if (named === undefined) expect(found).toBeUndefined();
    else expect(found?.cause).toContain(named);
  });
});
