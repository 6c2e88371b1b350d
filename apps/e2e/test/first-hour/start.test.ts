import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createServer, serve } from 'rxmcp';
import { repository } from '../repository.js';

const server = createServer({ name: 'hello', version: '1.0.0' });
afterEach(() => vi.unstubAllGlobals());

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
