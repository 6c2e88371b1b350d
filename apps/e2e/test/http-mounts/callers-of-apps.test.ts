import { AsyncLocalStorage } from 'node:async_hooks';
import { http } from '@rxmcp/http';
import { httpHandler } from '@rxmcp/http/node';
import { firstValueFrom } from 'rxjs';
import { defineClient, defineServer, once, type Remote } from 'rxmcp';
import { offerTools, textOf, tool, tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apps, type Identify } from './apps.js';
import { mounts } from './mounts.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

const versions = ['2026-07-28', '2025-11-25'];

/** Takes the token of a request apart, as a verified one: `ada`, `ada read,write` or `ada read tenant`. */
const identify: Identify = (header) => {
  const [principal, scopes, tenant] = (header('authorization') ?? '').split(' ');
  if (principal === undefined || principal === '') return undefined;
  return {
    principal,
    ...(scopes === undefined ? {} : { scopes: scopes.split(',') }),
    ...(tenant === undefined ? {} : { claims: { tenant } }),
  };
};

/** Calls of the handler that wait until `release`. */
interface Gate {
  readonly storage: AsyncLocalStorage<string>;
  waiting: (() => void)[];
}

/** Tools that show what they know of their request: the caller, and the context of the application. */
function mirror({ storage, waiting }: Gate, limits?: { maxConcurrentRequests: number }) {
  const who = tool('who', (_args, { caller: { principal, scopes, claims } }) =>
    JSON.stringify([principal, scopes ?? null, claims ?? null]),
  );
  const context = tool('context', () => storage.getStore() ?? 'lost');
  const wait = tool('wait', async () => {
    const before = storage.getStore();
    await new Promise<void>((go) => waiting.push(go));
    return `${before ?? 'lost'} ${storage.getStore() ?? 'lost'}`;
  });
  return defineServer({
    info: { name: 'mirror', version: '1.0.0' },
    offers: [offerTools([who, context, wait])],
    ...(limits && { limits: { ...limits, allAnonymous: limits, perCaller: limits } }),
  });
}

async function connect(url: string, version: string, headers: () => Record<string, string>): Promise<Remote> {
  const client = defineClient({ info: { name: 'client', version: '1.0.0' }, versions: [version] });
  const remote = await client.connect(http(url, { headers }));
  onTestFinished(() => remote.close());
  return remote;
}

const ask = async (remote: Remote, name: string): Promise<string> =>
  textOf(await once(tools(remote).call(name)));

const gate = (): Gate => ({ storage: new AsyncLocalStorage<string>(), waiting: [] });

describe.each(apps)('an existing application: $name', ({ start }) => {
  it.each(versions)(
    '%s: passes its caller, those of each request, instead of authenticate',
    async (version) => {
      const made = gate();
      const app = await start(mirror(made), identify, made.storage);
      onTestFinished(app.close);
      let authorization = 'ada read,write acme';
      const remote = await connect(app.url, version, () => ({ authorization }));
      expect(await ask(remote, 'who')).toBe('["ada",["read","write"],{"tenant":"acme"}]');
      authorization = 'ada read';
      expect(await ask(remote, 'who')).toBe('["ada",["read"],null]');
      authorization = 'ada';
      expect(await ask(remote, 'who')).toBe('["ada",null,null]');
      authorization = '';
      await expect(ask(remote, 'who')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      authorization = 'bob read';
      // A session belongs to its principal; without sessions each request is a caller's own.
      if (version < '2026')
        await expect(ask(remote, 'who')).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
      else expect(await ask(remote, 'who')).toBe('["bob",["read"],null]');
    },
  );

  it.each(versions)('%s: handlers run in the async context of their request', async (version) => {
    const made = gate();
    const app = await start(mirror(made), identify, made.storage);
    onTestFinished(app.close);
    let at = 0;
    const remote = await connect(app.url, version, () => ({
      authorization: 'ada',
      'x-context': String((at += 1)),
    }));
    // At the same time, in one turn: responses of several connections are written together.
    const before = at;
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(remote, 'context')));
    const distinct = new Set(answers.map(Number));
    expect(distinct.size).toBe(8);
    expect([...distinct].filter((one) => !(one > before && one <= at))).toEqual([]);
  });

  it.each(versions)('%s: a request that waited in a queue runs in its own context', async (version) => {
    const made = gate();
    const server = mirror(made, { maxConcurrentRequests: 1 });
    const app = await start(server, identify, made.storage);
    onTestFinished(app.close);
    let context = 'opening';
    const remote = await connect(app.url, version, () => ({ authorization: 'ada', 'x-context': context }));
    context = 'first';
    const first = ask(remote, 'wait');
    await vi.waitUntil(() => made.waiting.length === 1);
    context = 'second';
    const second = ask(remote, 'wait');
    await vi.waitUntil(async () => (await firstValueFrom(server.stats$)).queued === 1);
    made.waiting[0]?.();
    expect(await first).toBe('first first');
    await vi.waitUntil(() => made.waiting.length === 2);
    made.waiting[1]?.();
    expect(await second).toBe('second second');
  });
});

describe('one request', () => {
  it('of a batch runs in the context of its POST', async () => {
    const made = gate();
    const mcp = httpHandler(mirror(made), { sessions: false });
    const { createServer } = await import('node:http');
    const node = createServer((request, response) =>
      made.storage.run('batch', () => mcp(request, response, { caller: { principal: 'ada' } })),
    );
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await mcp.close();
      node.closeAllConnections();
      node.close();
    });
    const { port } = node.address() as { port: number };
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'context' },
    });
    const answer = await fetch(`http://127.0.0.1:${String(port)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify([call(1), call(2)]),
    });
    expect((await answer.text()).match(/"text":"[^"]*"/g)).toEqual(['"text":"batch"', '"text":"batch"']);
  });

  it.each([
    ['no string', { principal: 1 }],
    ['a list of claims', { principal: 'ada', claims: [] }],
    ['a text of scopes', { principal: 'ada', scopes: 'read' }],
    ['a name in place of the caller', 'ada'],
  ])('with an invalid caller is rejected: %s', async (_, caller) => {
    const made = gate();
    const { fetchHandler } = await import('@rxmcp/http/fetch');
    const mcp = fetchHandler(mirror(made));
    onTestFinished(mcp.close);
    const request = new Request('http://localhost/mcp', { method: 'POST', body: '{}' });
    const answer = await mcp(request, { caller: caller as never });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('Pass { principal, claims, scopes }');
  });

  it.each(mounts.filter(({ name }) => name.startsWith('Express')))(
    'has no caller in $name, which passes `next` in its place',
    async ({ mount }) => {
      const app = await mount(mirror(gate()), { authenticate: () => ({ principal: 'ada' }) });
      onTestFinished(app.close);
      expect(await ask(await connect(app.url, '2026-07-28', () => ({})), 'who')).toBe('["ada",null,null]');
    },
  );
});
