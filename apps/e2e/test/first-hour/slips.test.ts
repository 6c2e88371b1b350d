import { expect, it } from 'vitest';
import * as z from 'zod';
import * as rxmcp from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { offerSampling } from 'rxmcp/sampling';
import { stdio } from 'rxmcp/stdio';

// What plain JavaScript lets through: TypeScript rejects each of these calls.
type Loose = Record<string, (...args: unknown[]) => unknown>;
const { createServer, defineServer, defineClient, connect, serve, tool, template, prompt, resource, once } =
  rxmcp as unknown as Loose;
const { RxmcpError, RpcError } = rxmcp as unknown as Record<string, new (...args: unknown[]) => Error>;
const info = { name: 'hello', version: '1.0.0' };
const greet = rxmcp.tool('greet', () => 'Hello!');
const standard = (vendor: string) => ({
  '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) },
});
const noJsonSchema = (vendor: string) =>
  `the input of tool "x" cannot be converted to JSON Schema: "${vendor}" has no ~standard.jsonSchema. Use Zod 4.2+, ArkType, Valibot with @valibot/to-json-schema`;

it.each<[string, () => unknown, string]>([
  [
    "client.connect('http://x/mcp')",
    () => (defineClient?.({ info }) as rxmcp.Client).connect('http://x/mcp' as never),
    'client.connect: expected a transport, got "http://x/mcp": for a URL use transportFor(url) of "rxmcp/url"',
  ],
  [
    "stdio('node server.js')",
    () => stdio('node server.js' as never),
    `stdio: "node server.js" is a command line. Pass { command: 'node', args: ['server.js'] }`,
  ],
  [
    "stdio({ command: 'node server.js' })",
    () => stdio({ command: 'node server.js' }),
    `stdio: "node server.js" is a command line. Pass { command: 'node', args: ['server.js'] }`,
  ],
  [
    "connect({ command: 'node server.js' })",
    () => connect?.({ command: 'node server.js' }),
    `stdio: "node server.js" is a command line. Pass { command: 'node', args: ['server.js'] }`,
  ],
  [
    'once(promise)',
    () => once?.(Promise.resolve(1)),
    'once: expected an Observable, got a promise: await it without "once"',
  ],
  [
    "connect({ command, args: 'server.js' })",
    () => connect?.({ command: 'node', args: 'server.js --fast' }),
    `stdio: "args" must be an array of strings, got "server.js --fast". Pass args: ['server.js', '--fast']`,
  ],
  [
    'connect({ command, args: [1] })',
    () => connect?.({ command: 'node', args: [1] }),
    'stdio: "args" must be an array of strings, got object',
  ],
  [
    'connect({ command, arguments })',
    () => connect?.({ command: 'node', arguments: ['server.js'] }),
    'stdio: unknown option "arguments", did you mean "args"?',
  ],
  [
    'connect({ command }, { headers })',
    () => connect?.({ command: 'node' }, { headers: { a: 'b' } }),
    'connect: "headers" is an option for a URL, not for a program. Pass what it needs next to "command": args, env, maxMessageBytes',
  ],
  [
    'connect(transport, { fetch })',
    () => connect?.(memory(), { fetch }),
    'connect: "fetch" is an option for a URL, not for a transport. Pass it to the function that makes the transport',
  ],
  [
    'connect(url, { header })',
    () => connect?.('http://x/mcp', { header: { a: 'b' } }),
    'connect: unknown option "header", did you mean "headers"?',
  ],
  [
    'connect(url, { auth })',
    () => connect?.('http://x/mcp', { auth: 'x' }),
    `connect: "auth" must be what oauth(...) of @rxmcp/auth returns. A token goes into { headers: { authorization: 'Bearer ...' } }`,
  ],
  [
    'defineServer({ info })',
    () => defineServer?.({ info }),
    'the server has no "offers". Pass an array, as in offers: [offerTools([...])]',
  ],
  [
    'defineServer({ name, version })',
    () => defineServer?.({ ...info, offers: [] }),
    `defineServer needs "info": { info: { name: 'my-app', version: '1.0.0' }, offers: [...] }`,
  ],
  [
    'offers: offerTools([])',
    () => defineServer?.({ info, offers: rxmcp.offerTools([]) }),
    '"offers" must be an array. Put the offer in brackets, as in offers: [offerTools([...])]',
  ],
  [
    'offers: [greet]',
    () => defineServer?.({ info, offers: [greet] }),
    '"offers[0]" is a tool, not an offer: wrap it, as in offerTools([tool])',
  ],
  [
    'defineServer({ tools })',
    () => defineServer?.({ info, offers: [], tools: [greet] }),
    'defineServer: unknown option "tools", did you mean "offers"?',
  ],
  [
    'createServer()',
    () => createServer?.(),
    `createServer needs "name" and "version": { name: 'my-app', version: '1.0.0', tools: [...] }`,
  ],
  [
    'createServer({ tool })',
    () => createServer?.({ ...info, tool: [greet] }),
    'createServer: unknown option "tool", did you mean "tools"?',
  ],
  [
    'createServer({ info })',
    () => createServer?.({ info, tools: [greet] }),
    `createServer has no "info". Pass its members: { name: 'my-app', version: '1.0.0', tools: [...] }`,
  ],
  [
    'createServer({ tools: greet })',
    () => createServer?.({ ...info, tools: greet }),
    'createServer: "tools" must be an array, as in tools: [greet]',
  ],
  [
    'createServer({ tools: { greet } })',
    () => createServer?.({ ...info, tools: { greet } }),
    'createServer: "tools" must be an array, as in tools: [item]',
  ],
  [
    'createServer({ capabilities })',
    () => createServer?.({ ...info, capabilities: {} }),
    'createServer: unknown option "capabilities", did you mean "tools"?',
  ],
  [
    'createServer({ port })',
    () => createServer?.({ ...info, port: 3000 }),
    'createServer: unknown option "port", did you mean "serve(server, { http: { port } })"?',
  ],
  [
    'serve({ name, version })',
    () => serve?.({ ...info, tools: [greet] }),
    `serve needs a server, as in serve(createServer({ name: 'my-app', version: '1.0.0', tools: [...] }))`,
  ],
  [
    'serve(server, { authenticate })',
    () => serve?.(createServer?.(info), { authenticate: () => undefined }),
    'serve: unknown option "authenticate", did you mean "http: { authenticate }"?',
  ],
  [
    'the four arguments of SDK v1',
    () => tool?.('x', 'a description', { a: z.string() }, () => 'x'),
    `tool "x" needs a handler: tool('x', { input }, (args) => ...). A description is an option: { description, input }`,
  ],
  [
    'an object of schemas',
    () => tool?.('x', { a: z.string() }, () => 'x'),
    'tool "x": "a" is a schema of one argument. Wrap them: { input: z.object({ a: ... }) }',
  ],
  [
    'inputSchema',
    () => tool?.('x', { inputSchema: z.object({}) }, () => 'x'),
    'tool "x": unknown option "inputSchema", did you mean "input"?',
  ],
  [
    "resource(uri, 'text')",
    () => resource?.('a://b', 'text'),
    `resource "a://b" needs a value: resource('a://b', { name }, value)`,
  ],
  [
    'resource with _meta',
    () => resource?.('a://b', { _meta: {} }, 'text'),
    'resource "a://b": unknown option "_meta", did you mean "meta"?',
  ],
  [
    'a template without a function',
    () => template?.('a://{b}', { name: 'x' }),
    `template "a://{b}" needs a function: template('a://{b}', { name }, (vars) => ...)`,
  ],
  ['no handler', () => tool?.('x', {}), `tool "x" needs a handler: tool('x', { input }, (args) => ...)`],
  [
    'a prompt without a handler',
    () => prompt?.('x', {}),
    `prompt "x" needs a handler: prompt('x', { arguments }, (args) => ...)`,
  ],
  ['a schema of zod 3', () => tool?.('x', { input: standard('zod') }, () => 'x'), noJsonSchema('zod')],
  [
    'a library without JSON Schema',
    () => tool?.('x', { input: standard('yup') }, () => 'x'),
    noJsonSchema('yup'),
  ],
  [
    'offerSampling(model)',
    () => offerSampling((() => undefined) as never, undefined as never),
    'offerSampling needs `approve`, as in offerSampling(model, { approve: (request) => ... }): a person decides what a model sees',
  ],
  [
    'new RxmcpError(-32602)',
    () => new (RxmcpError as NonNullable<typeof RxmcpError>)(-32602, 'bad'),
    'RxmcpError codes are words, not -32602: use new RpcError(code, message)',
  ],
  [
    "new RpcError('bad')",
    () => new (RpcError as NonNullable<typeof RpcError>)('bad'),
    'RpcError code bad must be an integer outside -32768..-32000, which JSON-RPC reserves',
  ],
  [
    'new RpcError(-32050)',
    () => new (RpcError as NonNullable<typeof RpcError>)(-32050, 'bad'),
    'RpcError code -32050 must be an integer outside -32768..-32000, which JSON-RPC reserves',
  ],
  [
    'new RpcError(-32000)',
    () => new (RpcError as NonNullable<typeof RpcError>)(-32000, 'bad'),
    'RpcError code -32000 must be an integer outside -32768..-32000, which JSON-RPC reserves',
  ],
  [
    'a template whose list is live',
    () => template?.('a://{b}', { name: 'x', list: { subscribe: () => undefined } }, () => 'x'),
    'template "a://{b}": "list" must be an array. For a list that changes, offer a stream: offerResources(resources$)',
  ],
])('%s is answered with the fix', async (_slip, make, message) => {
  await expect((async () => make())()).rejects.toThrow(new TypeError(message));
});
