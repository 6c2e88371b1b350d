import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { memory } from 'rxmcp/memory';
import type { ConnectTarget } from 'rxmcp';
import { connect, createServer, prompt, resource, serve, textOf, tool } from 'rxmcp';

const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`);
const server = createServer({
  name: 'hello',
  version: '1.0.0',
  title: 'Hello',
  tools: [greet],
  resources: [resource('text://motto', { name: 'motto' }, 'Be brief.')],
  prompts: [prompt('review', {}, () => 'Review this.')],
});

it('createServer offers its tools, resources and prompts, which a connected remote has', async () => {
  const link = memory();
  const handle = link.serve(server);
  onTestFinished(() => handle.close());
  const remote = await connect<typeof server>(link);
  onTestFinished(() => remote.close());
  expect(remote.info).toMatchObject({ name: 'hello', version: '1.0.0', title: 'Hello' });
  expect(textOf(await remote.tools.call('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
  expect(await remote.resources.read('text://motto')).toMatchObject([{ text: 'Be brief.' }]);
  expect((await remote.prompts.get('review')).messages).toHaveLength(1);
  // @ts-expect-error there is no such tool
  await expect(remote.tools.call('great', { name: 'Ada' })).rejects.toThrow('did you mean "greet"?');
});

it.each([
  [['--http', '0'], {}],
  [[], { MCP_TRANSPORT: 'http', PORT: '0' }],
  [['--http'], { PORT: '0' }],
])('serve listens on HTTP with %j and %j, and connect finds it', async (argv, env) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const handle = await serve(server, { argv, env }).finally(() => written.mockRestore());
  onTestFinished(() => handle.close());
  expect(handle.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const remote = await connect(handle.url as string);
  onTestFinished(() => remote.close());
  expect(textOf(await remote.tools.call('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
});

it.each([
  [['--http', 'x'], {}, 'serve: "x" is not a port. Use a number from 0 to 65535'],
  [['--http', '70000'], {}, 'serve: "70000" is not a port. Use a number from 0 to 65535'],
  [[], { MCP_TRANSPORT: 'sse' }, 'serve: MCP_TRANSPORT "sse" is unknown. Use "stdio" or "http"'],
])('serve rejects %j with %j', async (argv, env, message) => {
  await expect(serve(server, { argv, env })).rejects.toThrow(new TypeError(message));
});

it.each<[unknown, string]>([
  [
    'localhost:3000',
    'connect: "localhost:3000" is not a URL. Add the scheme and the path, as in "http://localhost:3000/mcp"',
  ],
  [
    'example.com/mcp',
    'connect: "example.com/mcp" is not a URL. Add the scheme and the path, as in "http://example.com/mcp"',
  ],
  [
    'node server.js',
    `connect: "node server.js" is not an http, https, ws or wss URL. To start a program, pass { command: 'node', args: ['server.js'] }`,
  ],
  [
    'server.mjs',
    `connect: "server.mjs" is not an http, https, ws or wss URL. To start a program, pass { command: 'node', args: ['server.mjs'] }`,
  ],
  [undefined, 'connect: expected a URL, { command, args } or a transport, got undefined'],
  [
    {},
    'connect: expected a URL, { command, args } or a transport, got an object without "dial" and "command"',
  ],
  [
    server,
    'connect: expected a URL, { command, args } or a transport, got a server. Serve it first: memory().serve(server)',
  ],
])('connect(%j) says what to pass', async (target, message) => {
  await expect(connect(target as ConnectTarget)).rejects.toThrow(new TypeError(message));
});
