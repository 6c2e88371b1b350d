import { it } from 'vitest';
import { EventEmitter } from 'node:events';
import { createServer as nodeServer } from 'node:http';
import * as z from 'zod';
import * as rx from '../src/index.js';
import { stdio } from '@rxmcp/stdio';
import { memory } from '@rxmcp/memory';
import { offerSampling } from '@rxmcp/sampling';
const any = rx as any;
const info = { name: 'a', version: '1' };
const greet = rx.tool('greet', () => 'x');
const cases: Record<string, () => unknown> = {
  'client.connect(string)': () => rx.defineClient({ info }).connect('http://x/mcp' as any),
  'stdio(string)': () => stdio('node server.js' as any),
  'stdio command line': () => rx.connect({ command: 'node server.js' }),
  'stdio missing program': () => rx.connect({ command: 'nodde' }),
  'defineServer({info})': () => any.defineServer({ info }),
  'defineServer()': () => any.defineServer(),
  'createServer()': () => any.createServer(),
  'createServer({})': () => any.createServer({}),
  'defineServer({name})': () => any.defineServer({ name: 'x', version: '1', offers: [] }),
  'offers: offer': () => any.defineServer({ info, offers: rx.offerTools([]) }),
  'offers: [greet]': () => any.defineServer({ info, offers: [greet] }),
  'tools: greet': () => any.createServer({ ...info, tools: greet }),
  'tools: [offer]': () => any.createServer({ ...info, tools: [rx.offerTools([greet])] }),
  'tools: [{name}]': () => any.createServer({ ...info, tools: [{ name: 'x', handler() {} }] }),
  'tool v1': () => any.tool('x', 'description', { a: z.string() }, () => 'x'),
  'tool v1 3': () => any.tool('x', { a: z.string() }, () => 'x'),
  'tool inputSchema': () => any.tool('x', { inputSchema: z.object({}) }, () => 'x'),
  'tool no handler': () => any.tool('x', {}),
  'tool z.string': () => any.tool('x', { input: z.string() }, () => 'x'),
  'zod 3': () => any.tool('x', { input: { _def: { typeName: 'ZodObject' }, parse() {}, safeParse() {}, '~standard': { version: 1, vendor: 'zod', validate() {} } } }, () => 'x'),
  'no json schema': () => any.tool('x', { input: { '~standard': { version: 1, vendor: 'yup', validate() {} } } }, () => 'x'),
  'offerSampling(model)': () => (offerSampling as any)({ createMessage() {} }),
  'offerSampling fn': () => (offerSampling as any)(async () => 'x'),
  'new RxmcpError(-32602)': () => { throw new any.RxmcpError(-32602, 'bad') },
  'new RpcError(str)': () => { throw new any.RpcError('bad') },
  'RpcError(-32000)': () => any.RpcError(-32000, 'bad'),
  'live list': () => any.template('a://{b}', { name: 'x', list: { subscribe() {} } }, () => 'x'),
  'list fn': () => any.template('a://{b}', { name: 'x', list: () => [] }, () => 'x'),
  'unknown option serve': () => any.serve(any.createServer({ ...info }), { authenticate() {} }),
  'unknown option createServer': () => any.createServer({ ...info, tool: [] }),
  'tool name spaces': () => any.createServer({ ...info, tools: [rx.tool('my tool!', () => 'x')] }),
};
it('x', async () => {
  for (const [name, run] of Object.entries(cases)) {
    let out: unknown;
    try { out = await run(); out = 'OK ' + typeof out; } catch (e) { out = `${(e as Error)?.name}: ${(e as Error)?.message}`; }
    console.log(name.padEnd(26), '=>', out);
  }
  for (const [n, h] of Object.entries({ nothing: () => undefined, unawaited: () => { void (async () => 'x')(); }, object: () => ({ a: 1 }), throws: () => { throw new Error('boom'); }, number: () => 5 })) {
    const link = memory();
    const server = any.createServer({ ...info, tools: [any.tool('t', h)] });
    const handle = link.serve(server);
    const remote = await rx.connect(link);
    console.log(n.padEnd(26), '=>', await remote.tools.call('t').then((r: any) => JSON.stringify(r), (e: any) => `${e.name} ${e.code}: ${e.message}`));
    await remote.close(); await handle.close();
  }
});
