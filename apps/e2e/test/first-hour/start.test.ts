import { afterEach, expect, it, vi } from 'vitest';
import { createServer, serve } from 'rxmcp';

const serveStdio = vi.hoisted(() => vi.fn(() => ({ close: async () => undefined })));
vi.mock('@rxmcp/stdio', async (original) => ({ ...(await original<object>()), serveStdio }));

const server = createServer({ name: 'hello', version: '1.0.0' });
const written = vi.spyOn(process.stderr, 'write');
afterEach(() => vi.unstubAllGlobals());

it.each([
  [
    'a terminal',
    true,
    [
      'serving MCP over stdio: waiting for a client that starts this program. For HTTP, start it with --http [PORT]\n',
    ],
  ],
  ['a pipe', undefined, []],
])('serve on stdio at %s prints how it is used', async (_where, isTTY, lines) => {
  vi.stubGlobal('process', { ...process, stdin: { isTTY }, stderr: { write: written } });
  written.mockReset().mockReturnValue(true);
  await serve(server, { argv: [], env: {} });
  expect(written.mock.calls).toEqual(lines.map((line) => [line]));
  expect(serveStdio).toHaveBeenCalledWith(server);
});

it.each(['18.20.8', '20.9.0', '20.18.3'])('serve rejects Node.js %s', async (node) => {
  vi.stubGlobal('process', { ...process, versions: { node } });
  await expect(serve(server)).rejects.toThrow(
    new Error(`serve needs Node.js 20.19 or newer, this is ${node}. Update Node.js`),
  );
});

it.each(['20.19.0', '22.0.0', '100.1.0'])('serve accepts Node.js %s', async (node) => {
  vi.stubGlobal('process', { ...process, versions: { node }, stdin: {} });
  await expect(serve(server, { argv: [], env: {} })).resolves.toMatchObject({ url: undefined });
});
