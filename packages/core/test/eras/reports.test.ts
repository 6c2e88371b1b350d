import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { CallEvent, Context } from '../../src/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { offering, revisions } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
const modern = '2026-07-28';

/** Serves one request of a revision and gives what was said about it; `meta` is that of the request. */
async function served(
  version: string,
  handle: (ctx: Context) => unknown,
  meta: object,
  level?: string,
): Promise<Frame[]> {
  const client = rawClient([offering({ 'tools/call': (_params, ctx) => handle(ctx) }), logging]);
  if (version !== modern) {
    await client.shake(version);
    if (level !== undefined) await client.ask({ id: 'l', method: 'logging/setLevel', params: { level } });
  }
  await client.take();
  const own = version === modern ? modernMeta({ 'io.modelcontextprotocol/logLevel': level }) : {};
  client.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: { ...own, ...meta } } });
  return client.take();
}

const grown = (frames: Frame[]): unknown[] =>
  frames.map(({ method, params }) => (method === 'notifications/progress' ? params?.['progress'] : 'end'));

describe.each(revisions)('row 47: progress that a server sends a client of %s', (version) => {
  it.each([7, 0, '', 'a'])('grows, has the token %j, and comes before the result', async (progressToken) => {
    let late: Context | undefined;
    const frames = await served(
      version,
      (ctx) => {
        late = ctx;
        for (const done of [1, 1, 0.5, NaN, Infinity, -Infinity, 2, 3]) ctx.progress(done, 3);
        return { content: [] };
      },
      { progressToken },
    );
    late?.progress(4);
    await turn();
    expect(grown(frames)).toEqual([1, 2, 3, 'end']);
    expect(frames[0]?.params).toEqual({ progressToken, progress: 1, total: 3 });
  });

  it('has a message, but not at 2024-11-05', async () => {
    const handle = (ctx: Context) => (ctx.progress(1, 2, 'half'), { content: [] });
    const [told] = await served(version, handle, { progressToken: 1 });
    const words = version === '2024-11-05' ? {} : { message: 'half' };
    expect(told?.params).toEqual({ progressToken: 1, progress: 1, total: 2, ...words });
  });

  it.each([undefined, null, 1.5, {}, true])(
    'is not sent under the invalid token %j',
    async (progressToken) => {
      const frames = await served(version, (ctx) => (ctx.progress(1), { content: [] }), { progressToken });
      expect(grown(frames)).toEqual(['end']);
    },
  );
});

describe.each(revisions)('rows 46 and 47: progress that a client of %s receives', (version) => {
  it('counts where it grows and its call runs, whatever else is sent', async () => {
    const era = version === modern ? 'modern' : 'legacy';
    const server = rawServer(() => undefined, { era, version });
    const remote = await connected(server);
    const faults: string[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    const seen: (CallEvent<unknown> | string)[] = [];
    getRemoteLink(remote)
      .events({ method: 'x/y', decode: (result) => result })
      .subscribe((event) => seen.push(event.type === 'progress' ? event : event.type));
    await turn();
    const [wire] = server.pipes;
    const call = wire?.sent.find(({ method }) => method === 'x/y');
    const progressToken = call?.params?._meta?.['progressToken'];
    const tell = (params: object): void =>
      wire?.put({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...params } });
    for (const progress of [2, 2, 1, null, 'x', {}, 3]) tell({ progress, total: 4, message: 'm' });
    tell({ progress: 9, progressToken: 'never given' });
    tell({ progress: 9, progressToken: String(progressToken) });
    wire?.put({ jsonrpc: '2.0', id: call?.id, result: { resultType: 'complete' } });
    tell({ progress: 10 });
    await turn();
    const progress = { type: 'progress', total: 4, message: 'm' };
    expect(seen).toEqual([{ ...progress, progress: 2 }, { ...progress, progress: 3 }, 'result']);
    expect(faults).toEqual([]);
  });
});

describe('logs', () => {
  const chatty = (ctx: Context): unknown => {
    for (const level of ['debug', 'info', 'warning', 'emergency'] as const) ctx.log(level, level, 'me');
    return { content: [] };
  };
  const levels = (frames: Frame[]): unknown[] =>
    frames.map(({ method, params }) => (method === 'notifications/message' ? params?.['level'] : 'end'));

  it.each(revisions)('are sent to a client of %s from the level that it set', async (version) => {
    expect(levels(await served(version, chatty, {}))).toEqual(['end']);
    expect(levels(await served(version, chatty, {}, 'warning'))).toEqual(['warning', 'emergency', 'end']);
    expect(levels(await served(version, chatty, {}, 'emergency'))).toEqual(['emergency', 'end']);
    const [first] = await served(version, chatty, {}, 'debug');
    expect(first?.params).toEqual({ level: 'debug', data: 'debug', logger: 'me' });
  });

  it('belong to their own request in 2026-07-28, on a pipe with others and with a session of another level', async () => {
    const contexts = new Map<unknown, Context>();
    const hold = offering({
      'tools/call': (params, ctx) => {
        contexts.set(params.n, ctx);
        return NEVER;
      },
    });
    const client = rawClient([hold, logging]);
    await client.shake('2025-11-25');
    await client.ask({ id: 'l', method: 'logging/setLevel', params: { level: 'debug' } });
    const ask = (n: string, level?: string): void =>
      client.put({
        jsonrpc: '2.0',
        id: n,
        method: 'tools/call',
        params: {
          n,
          _meta: modernMeta(level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level }),
        },
      });
    ask('none');
    ask('error', 'error');
    ask('info', 'info');
    await client.take();
    for (const [n, ctx] of contexts) ctx.log('warning', n);
    expect((await client.take()).map(({ params }) => params?.['data'])).toEqual(['info']);
  });
});
