import { defineServer } from '@rxmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../src/http/node.js';
import { connect } from '../src/index.js';
import { memory } from '../src/memory.js';
import { offerTools, tool } from '../src/tools.js';

const server = defineServer({
  info: { name: 'greeter', version: '1.0.0' },
  offers: [offerTools([tool('who', (_args, { caller }) => String(caller.info?.name))])],
});

function served() {
  const link = memory();
  const handle = link.serve(server);
  onTestFinished(() => handle.close());
  return link;
}

describe('connect', () => {
  it('gives a remote with the primitives, and names the client', async () => {
    for (const [info, name] of [
      [undefined, 'rxmcp'],
      [{ name: 'mine', version: '1.0.0' }, 'mine'],
    ] as const) {
      const remote = await connect(served(), info === undefined ? {} : { info });
      onTestFinished(() => remote.close());
      expect((await remote.tools.call('who')).content).toEqual([{ type: 'text', text: name }]);
      expect([await remote.resources.list(), await remote.prompts.list()]).toEqual([[], []]);
    }
  });

  it('passes on what is for the connection', async () => {
    const aborted = { signal: AbortSignal.abort(new Error('left')) };
    await expect(connect(served(), aborted)).rejects.toThrow('left');
    const silent = { name: 'silent', dial: () => new Promise<never>(() => undefined) };
    await expect(connect(silent, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('passes on what is for a URL', async () => {
    const asked: unknown[] = [];
    const authenticate = (head: { headerValues(name: string): readonly string[] }) => {
      asked.push(head.headerValues('x-mine')[0]);
      return { principal: 'ada' };
    };
    const { url, close } = await serveHttp(server, { authenticate });
    onTestFinished(close);
    let fetched = 0;
    const counted: typeof fetch = (...of) => ((fetched += 1), fetch(...of));
    const remote = await connect(new URL(url), { headers: { 'x-mine': '1' }, fetch: counted });
    onTestFinished(() => remote.close());
    expect((await remote.tools.call('who')).content).toEqual([{ type: 'text', text: 'rxmcp' }]);
    expect([new Set(asked), fetched > 0]).toEqual([new Set(['1']), true]);
    const small = { maxMessageBytes: 10 };
    await expect(connect(url, small)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const auth = { headers: () => Promise.resolve({ authorization: 'Bearer x' }) } as never;
    await expect(connect('http://server.example/mcp', { auth })).rejects.toThrow('dangerouslyAllowInsecure');
  });

  it.each([
    [{ token: 'x' }, 'connect: unknown option "token", did you mean "headers"?'],
    [{ authProvider: 'x' }, 'did you mean "auth"?'],
    [{ authorization: 'x' }, 'did you mean "headers"?'],
    [{ requestInit: {} }, 'did you mean "headers"?'],
    [{ name: 'x' }, 'did you mean "info: { name, version }"?'],
    [{ capabilities: {} }, 'did you mean "offers"?'],
    [{ headers: new Headers() }, '"headers" must be a plain object'],
    [{ headers: null }, '"headers" must be a plain object'],
    [{ headers: 'a: b' }, '"headers" must be a plain object'],
    [{ auth: 'token' }, '"auth" must be what oauth(...)'],
    [{ auth: {} }, '"auth" must be what oauth(...)'],
  ])('rejects the options %j', async (options, message) => {
    await expect(connect('http://localhost:1/mcp', options as never)).rejects.toThrow(message);
  });

  it.each([
    [undefined, 'got undefined'],
    [{ url: 'http://a' }, 'an object with "url"'],
    [server, 'got a server. Serve it first'],
    [{}, 'an object without "dial" and "command"'],
    ['file:///a', 'file:'],
    ['server.js', 'server.js'],
    ['localhost:3000/mcp', 'localhost:3000/mcp'],
  ])('rejects the target %j', async (target, message) => {
    await expect(connect(target as never)).rejects.toThrow(TypeError);
    await expect(connect(target as never)).rejects.toThrow(message);
  });

  it.each([
    [{ headers: {} }, memory(), '"headers" is an option for a URL, not for a transport'],
    [{ fetch }, { command: 'node' }, '"fetch" is an option for a URL, not for a program'],
    [{ maxMessageBytes: 1 }, { command: 'node' }, '"maxMessageBytes" is an option for a URL'],
  ])('rejects %j for what is no URL', async (options, target, message) => {
    await expect(connect(target, options)).rejects.toThrow(message);
  });
});
