import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { connect, createServer, serve } from 'rxmcp';
import { bearer } from 'rxmcp/transport/guard';
import { repository } from '../repository.js';

const server = createServer({ name: 'hello', version: '1.0.0' });
/** What was written to standard error, in place of it. */
let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Runs a server whose standard input ends at once; resolves with what it prints to standard error. */
function printed(isTTY: boolean): Promise<string> {
  const code = `
    import { createServer, serve } from 'rxmcp';
    Object.defineProperty(process.stdin, 'isTTY', { value: ${String(isTTY)} });
    await serve(createServer({ name: 'hello', version: '1.0.0' }));`;
  const args = ['--input-type=module', '--eval', code];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: join(repository, 'apps/e2e') },
      (_error, _out, text) => resolve(text),
    );
    child.stdin?.end();
  });
}

it.each([
  [
    'a terminal',
    true,
    'serving MCP over stdio: waiting for a client that starts this program. For HTTP, start it with --http [PORT]\n',
  ],
  ['a pipe', false, ''],
])('serve on stdio at %s prints how it is used', async (_where, isTTY, text) => {
  expect(await printed(isTTY)).toBe(text);
});

it.each<[string, Parameters<typeof serve>[1]]>([
  ['--http=0', { argv: ['--http=0'], env: {} }],
  ['a port in the options', { http: { port: 0 }, argv: [], env: {} }],
])('serve with %s serves HTTP', async (_how, options) => {
  const handle = await serve(server, options);
  onTestFinished(() => handle.close());
  expect(handle.url).toMatch(/^http:/);
  expect(said).toBe(`listening ${String(handle.url)}\n`);
});

it.each([
  ['authenticate: a string', { authenticate: 'secret' as never }, '"authenticate" must be a function'],
])('serve with %s is rejected', async (_what, http, message) => {
  await expect(serve(server, { http, argv: ['--http', '0'], env: {} })).rejects.toThrow(message);
});

it.each([
  ['true', () => true],
  ['a string', () => 'ada'],
  ['nothing', () => undefined],
])('authenticate that returns %s is answered with what it must return', async (_what, authenticate) => {
  const http = { authenticate: authenticate as never };
  const handle = await serve(server, { http, argv: ['--http', '0'], env: {} });
  onTestFinished(() => handle.close());
  await expect(connect(handle.url ?? '')).rejects.toThrow(
    'the "authenticate" of this server must return { principal } or { status: 401 }',
  );
});

it.each<[string, never]>([
  ["'secret'", 'secret' as never],
  ["['secret']", ['secret'] as never],
])('bearer(%s) is rejected', (_what, tokens) => {
  expect(() => bearer(tokens)).toThrow('bearer() takes a table of principals and tokens');
});

it('bearer names a principal without a token, such as that of a variable that is not set', () => {
  expect(() => bearer({ ada: undefined as never })).toThrow(`bearer(): "ada" needs its token`);
});

it.each(['18.20.8', '20.9.0', '20.18.3'])('serve rejects Node.js %s', async (node) => {
  vi.stubGlobal('process', { ...process, versions: { node } });
  await expect(serve(server)).rejects.toThrow(
    new Error(`serve needs Node.js 20.19 or newer, this is ${node}. Update Node.js`),
  );
});

it.each(['20.19.0', '22.0.0', '100.1.0'])('serve accepts Node.js %s', async (node) => {
  vi.stubGlobal('process', { ...process, versions: { node } });
  await expect(serve(server, { argv: ['--http', 'x'], env: {} })).rejects.toThrow('is not a port');
});
