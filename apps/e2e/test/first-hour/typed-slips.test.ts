import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Call, CallWithEvents, Client, ConnectedRemote } from 'rxmcp';
import * as rxmcp from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import type { SamplingModel } from 'rxmcp/sampling';
import { offerSampling } from 'rxmcp/sampling';
import { stdio } from 'rxmcp/stdio';

const { connect, createServer, defineServer, offerTools, once, prompt, resource, serve, template, tool } =
  rxmcp;
const info = { name: 'hello', version: '1.0.0' };
const greet = tool('greet', () => 'Hello!');
const server = createServer(info);
declare const remote: ConnectedRemote;
declare const client: Client;
declare const model: SamplingModel;
declare const events: CallWithEvents<object>;

/** Never called: the type checker rejects each line, as slips.test.ts, calls.test.ts and options.test.ts do at runtime. */
const slips: readonly (() => unknown)[] = [
  // @ts-expect-error timeout
  () => remote.tools.call('greet', {}, { timeout: 5 }),
  // @ts-expect-error the arguments are the second one
  () => remote.tools.call({ name: 'greet', arguments: {} }),
  async () => {
    // @ts-expect-error each(events) is an async iterable
    for await (const event of events) void event;
  },
  // @ts-expect-error headers
  () => connect('http://x/mcp', { header: {} }),
  // @ts-expect-error name and version
  () => createServer({ info }),
  // @ts-expect-error an array
  () => createServer({ ...info, tools: greet }),
  // @ts-expect-error createServer({ ... })
  () => serve({ ...info }),
  // @ts-expect-error in http
  () => serve(server, { authenticate: () => ({ status: 401 }) }),
  // @ts-expect-error an array of strings
  () => connect({ command: 'node', args: 'server.js' }),
  // @ts-expect-error a transport
  () => client.connect('http://x/mcp'),
  // @ts-expect-error { command, args }
  () => stdio('node server.js'),
  // @ts-expect-error await it
  () => once(Promise.resolve(1)),
  // @ts-expect-error offers
  () => defineServer({ info }),
  // @ts-expect-error in brackets
  () => defineServer({ info, offers: offerTools([]) }),
  // @ts-expect-error offerTools([greet])
  () => defineServer({ info, offers: [greet] }),
  // @ts-expect-error a description is an option
  () => tool('x', 'a description', { a: z.string() }, () => 'x'),
  // @ts-expect-error input
  () => tool('x', { inputSchema: z.object({}) }, () => 'x'),
  // @ts-expect-error return
  () => tool('x', () => {}),
  // @ts-expect-error return
  () => prompt('x', {}, () => {}),
  // @ts-expect-error return
  () => resource('a://b', {}, () => {}),
  // @ts-expect-error approve
  () => offerSampling(model),
  // @ts-expect-error a word, such as INVALID_PARAMS
  () => new rxmcp.RxmcpError(-32602, 'bad'),
  // @ts-expect-error a stream of all resources
  () => template('a://{b}', { list: { subscribe: () => undefined } }, () => 'x'),
  // @ts-expect-error authenticate
  () => serveHttp(server, { auth: () => ({ status: 401 }) }),
];

/** The type checker accepts these, so that only the error at runtime has the fix. */
const unseen: readonly (() => unknown)[] = [
  () => connect('localhost:3000'),
  () => connect({ command: 'node server.js' }),
  () => connect({ command: 'node' }, { headers: {} }),
  () => stdio({ command: 'node server.js' }),
  () => new rxmcp.RpcError(-32000, 'reserved'),
];

it('the type checker rejects the slips above', () => {
  expect(slips.length + unseen.length).toBeGreaterThan(20);
});

it('the reason of a failed call has the type that a promise gives it', () => {
  const message = (call: Call<string>): Promise<string> => call.catch((error) => error.message);
  expect(message).toBeTypeOf('function');
});
