import { sse } from '@rxmcp/sse';
import { bearer } from '@rxmcp/transport/guard';
import { distinctUntilChanged, firstValueFrom, map, take, tap, toArray } from 'rxjs';
import { defineClient, once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { describe, expect, it, vi } from 'vitest';
import { newestRevisions } from '../matrix/revisions.js';
import { say, servedPond, visitor } from './pond.js';

const legacy = newestRevisions.filter(({ era }) => era === 'legacy');

describe.each(legacy)('our client and server over HTTP+SSE at $version', ({ version }) => {
  it('agree on it, list, call, and send progress before the result', async () => {
    const { serving } = await servedPond();
    const remote = await visitor(serving.url, version);
    expect(remote.version).toBe(version);
    expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('count');
    expect((await once(prompts(remote).get('describe'))).messages).toHaveLength(1);
    const events = await firstValueFrom(tools(remote).events('count', { to: 3 }).pipe(toArray()));
    const kinds = events.filter(({ type }) => type !== 'log').map(({ type }) => type);
    expect(kinds).toEqual(['progress', 'progress', 'progress', 'result']);
  });

  it('calls in flight together each get their own answer', async () => {
    const { serving } = await servedPond();
    const remote = await visitor(serving.url, version);
    const calls = Array.from({ length: 60 }, (_, to) => say(remote, 'count', { to: to % 7 }));
    expect(await Promise.all(calls)).toEqual(calls.map((_, to) => `counted to ${String(to % 7)}`));
  });

  it('the server asks the client', async () => {
    const { serving } = await servedPond();
    const remote = await visitor(serving.url, version);
    expect(await say(remote, 'ask')).toMatch(/A poem on the pond.*!$/);
  });

  it('a resource is watched', async () => {
    const { serving, level } = await servedPond();
    const remote = await visitor(serving.url, version);
    const values = resources(remote)
      .watch('pond://level')
      .pipe(
        map(([value]) => (value === undefined ? '' : readText(value))),
        tap((value) => value === '20' && level.next(21)),
        distinctUntilChanged(),
        take(2),
        toArray(),
      );
    expect(await firstValueFrom(values)).toEqual(['20', '21']);
  });

  it('cancelling a call tears its handler down', async () => {
    const { serving, hanging } = await servedPond();
    const remote = await visitor(serving.url, version);
    const leaving = tools(remote).call('hang').subscribe();
    await vi.waitUntil(() => hanging.running === 1);
    leaving.unsubscribe();
    await vi.waitUntil(() => hanging.torndown === 1);
  });

  it('the handler knows the caller, and a caller without a token is rejected', async () => {
    const { serving } = await servedPond({ authenticate: bearer({ ada: 'open-sesame' }) });
    const headers = (): Promise<Record<string, string>> =>
      Promise.resolve({ authorization: 'Bearer open-sesame' });
    expect(await say(await visitor(serving.url, version, { headers }), 'whoami')).toBe('ada');
    await expect(visitor(serving.url, version)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('row 13: a batch is answered where the revision knows batches, and refused elsewhere', async () => {
    const { serving } = await servedPond();
    let endpoint = '';
    const remote = await visitor(serving.url, version, {
      fetch: (url, init) => {
        if (init.method === 'POST') endpoint = url;
        return fetch(url, init);
      },
    });
    await say(remote, 'count', { to: 0 });
    const answered: unknown[] = [];
    const wire = remote.wire$.subscribe(({ direction, message }) => {
      if (direction === 'in') answered.push(message);
    });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 'batched', method: 'ping' }]);
    expect((await fetch(endpoint, { method: 'POST', headers, body })).status).toBe(202);
    await vi.waitUntil(() => answered.length > 0);
    const answer = JSON.stringify(answered);
    if (version === '2025-03-26') expect(answer).toContain('batched');
    else expect(answer).toContain('-32600');
    wire.unsubscribe();
  });
});

it('a client without a pinned version settles on the newest legacy revision', async () => {
  const { serving } = await servedPond();
  expect((await visitor(serving.url)).version).toBe('2025-11-25');
});

it('the modern revision has no binding for it, and both sides report it', async () => {
  const { serving } = await servedPond();
  const client = defineClient({ info: { name: 'modern', version: '1.0.0' }, versions: ['2026-07-28'] });
  await expect(client.connect(sse(serving.url))).rejects.toThrow();
});

it('row 33: a request of the modern revision is not served, before and after the handshake, and nothing of it runs', async () => {
  const { serving, running } = await servedPond();
  const stream = await fetch(serving.url);
  const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const event = async (number: number): Promise<string> => {
    const seen = (): string[] => [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => data as string);
    while (seen().length <= number) text += (await events?.read())?.value ?? '';
    return seen()[number] as string;
  };
  const endpoint = new URL(await event(0), serving.url);
  const headers = { 'content-type': 'application/json' };
  const post = (message: object): Promise<Response> =>
    fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const refused = async (id: number, at: number): Promise<void> => {
    const params = { name: 'slow', arguments: {}, _meta };
    expect((await post({ id, method: 'tools/call', params })).status).toBe(202);
    expect(JSON.parse(await event(at))).toMatchObject({ id, error: { code: -32601 } });
  };
  await refused(1, 1);
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await post({ id: 2, method: 'initialize', params });
  expect(JSON.parse(await event(2))).toMatchObject({ id: 2, result: { protocolVersion: '2025-11-25' } });
  await post({ method: 'notifications/initialized' });
  await refused(3, 3);
  expect(running()).toBe(0);
  await events?.cancel();
});
