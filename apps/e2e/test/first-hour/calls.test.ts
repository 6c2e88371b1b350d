import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { memory } from 'rxmcp/memory';
import type { ConnectedRemote } from 'rxmcp';
import { connect, createServer, each, prompt, resource, template, textOf, tool } from 'rxmcp';

// Plain JavaScript: TypeScript rejects these handlers, see typed-slips.test.ts.
const nothing = (() => undefined) as never;
// Each server prints a fault of one code once.
const hello = () =>
  createServer({
    name: 'hello',
    version: '1.0.0',
    tools: [
      tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`),
      tool('nothing', nothing),
      tool('later', (async () => undefined) as never),
    ],
    prompts: [prompt('review', {}, () => 'Review this.'), prompt('nothing', {}, nothing)],
    resources: [resource('a://b', {}, nothing), template('a://b/{c}', {}, nothing)],
  });

async function connected(): Promise<ConnectedRemote> {
  const link = memory();
  const handle = link.serve(hello());
  onTestFinished(() => handle.close());
  const remote = await connect(link);
  onTestFinished(() => remote.close());
  return remote;
}

it.each<[string, (remote: ConnectedRemote) => PromiseLike<unknown>, string]>([
  [
    "tools.call('greet', args, { timeout })",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, { timeout: 5 } as never),
    'tools/call: unknown option "timeout", did you mean "totalTimeoutMs"?',
  ],
  [
    "tools.call('greet', args, { maxTotalTimeout })",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, { maxTotalTimeout: 5 } as never),
    'tools/call: unknown option "maxTotalTimeout", did you mean "totalTimeoutMs"?',
  ],
  [
    "tools.call('greet', args, { onprogress })",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, { onprogress: nothing } as never),
    'tools/call: unknown option "onprogress", did you mean "events(...)"?',
  ],
  [
    "tools.call('greet', args, 5000)",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, 5_000 as never),
    'tools/call "greet": the options must be an object',
  ],
  [
    "tools.call('greet', args, { totalTimeoutMs: '5s' })",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, { totalTimeoutMs: '5s' as never }),
    'tools/call: "totalTimeoutMs" must be a number of milliseconds above 0, not "5s"',
  ],
  [
    "tools.call('greet', args, { signal: new AbortController() })",
    ({ tools }) => tools.call('greet', { name: 'Ada' }, { signal: new AbortController() as never }),
    'tools/call: "signal" must be an AbortSignal, such as the "signal" of an AbortController',
  ],
  [
    "tools.events('greet', args, { singal })",
    ({ tools }) => tools.events('greet', { name: 'Ada' }, { singal: 1 } as never),
    'tools/call: unknown option "singal". It has idleTimeoutMs, totalTimeoutMs, signal, logLevel, meta',
  ],
  [
    'tools.list({ cursor })',
    ({ tools }) => tools.list({ cursor: 'x' } as never),
    'tools/list: unknown option "cursor". It has idleTimeoutMs, totalTimeoutMs, signal, logLevel, meta',
  ],
  [
    "resources.read('a://b', { timeout })",
    ({ resources }) => resources.read('a://b', { timeout: 5 } as never),
    'resources/read: unknown option "timeout", did you mean "totalTimeoutMs"?',
  ],
  [
    "prompts.get('review', {}, { timeout })",
    ({ prompts }) => prompts.get('review', {}, { timeout: 5 } as never),
    'prompts/get: unknown option "timeout", did you mean "totalTimeoutMs"?',
  ],
  [
    "remote.request('x/y', {}, { timeout })",
    (remote) => remote.request('x/y', {}, { timeout: 5 } as never),
    'x/y: unknown option "timeout", did you mean "totalTimeoutMs"?',
  ],
  [
    "tools.call({ name: 'greet', arguments })",
    ({ tools }) => tools.call({ name: 'greet', arguments: { name: 'Ada' } } as never),
    "tools/call: pass the arguments second, as in call('greet', { ... })",
  ],
  [
    "prompts.get({ name: 'review', arguments })",
    ({ prompts }) => prompts.get({ name: 'review', arguments: {} } as never),
    "prompts/get: pass the arguments second, as in get('review', { ... })",
  ],
  [
    "resources.read({ uri: 'a://b' })",
    ({ resources }) => resources.read({ uri: 'a://b' } as never),
    "resources/read: pass the URI, as in read('a://b')",
  ],
])('%s is answered with the fix', async (_slip, call, message) => {
  await expect(call(await connected())).rejects.toMatchObject({ message });
});

it('textOf of a call that was not awaited says so', async () => {
  const { tools } = await connected();
  expect(() => textOf(tools.call('greet', { name: 'Ada' }) as never)).toThrow(
    'textOf found no "content". Pass the result of a call, as in textOf(await call)',
  );
});

it('for await over a call is answered with the fix, and each(...) is the fix', async () => {
  const { tools } = await connected();
  const events = tools.events('greet', { name: 'Ada' });
  const read = async (stream: AsyncIterable<unknown>): Promise<unknown> => {
    for await (const event of stream) return event;
    return undefined;
  };
  await expect(read(events as never)).rejects.toThrow(
    new TypeError('a call is not async iterable. Use `each`, as in for await (const event of each(call))'),
  );
  expect(await read(each(events))).toMatchObject({ type: 'result' });
});

it('a call returned by a handler is still its result', async () => {
  const remote = await connected();
  const bridge = createServer({
    name: 'bridge',
    version: '1.0.0',
    tools: [tool('greet', () => remote.tools.call('greet', { name: 'Ada' }))],
  });
  const link = memory();
  const handle = link.serve(bridge);
  onTestFinished(() => handle.close());
  const outer = await connect(link);
  onTestFinished(() => outer.close());
  expect(await outer.tools.call('greet')).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
});

const hint = 'after => { a function needs "return"';

it.each<[string, (remote: ConnectedRemote) => PromiseLike<unknown>, string, string]>([
  [
    'tool',
    ({ tools }) => tools.call('nothing'),
    `tool "nothing" returned nothing. Return a string, content blocks or a result; ${hint}`,
    'rxmcp server "hello": NO_RESULT: "tools/call": ',
  ],
  [
    'tool, and does not await',
    ({ tools }) => tools.call('later'),
    `tool "later" returned nothing. Return a string, content blocks or a result; ${hint}`,
    'rxmcp server "hello": NO_RESULT: "tools/call": ',
  ],
  [
    'prompt',
    ({ prompts }) => prompts.get('nothing'),
    `prompt "nothing" returned nothing. Return a string, messages or a result; ${hint}`,
    'rxmcp server "hello": NO_RESULT: "prompts/get": ',
  ],
])('a %s that returns nothing: client and log have the fix', async (_kind, call, message, log) => {
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  await expect(call(await connected())).rejects.toMatchObject({ code: -32603, message });
  expect(printed.mock.calls.join()).toContain(`${log}${message}`);
});

it.each(['a://b', 'a://b/c'])('a resource that returns nothing: the log has the fix for %s', async (uri) => {
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const { resources } = await connected();
  await expect(resources.read(uri)).rejects.toMatchObject({ code: -32603 });
  expect(printed.mock.calls.join()).toContain(
    `the value of "${uri}" must be text, bytes, { text }, { blob } or an array of contents. After => { a function needs "return"`,
  );
});
