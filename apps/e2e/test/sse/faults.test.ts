import { request } from 'node:http';
import { filter, firstValueFrom } from 'rxjs';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { sse } from '@rxmcp/sse';
import { expect, it, onTestFinished, vi } from 'vitest';
import { say, servedPond, visitor } from './pond.js';

it('fault 15: a drain lets running work finish, answers what it asks, and accepts no new client', async () => {
  const { serving, server, running, finish } = await servedPond();
  const remote = await visitor(serving.url);
  const asking = say(remote, 'ask', { late: true });
  const slow = say(await visitor(serving.url), 'slow');
  await vi.waitUntil(() => running() === 2);
  const drained = serving.drain();
  const refused = await vi.waitUntil(async () => {
    const answer = await fetch(serving.url);
    await answer.body?.cancel();
    return answer.status === 503 && answer;
  });
  expect(refused.headers.get('retry-after')).toBe('5');
  finish();
  expect(await slow).toBe('done');
  expect(await asking).toContain('the pond');
  await drained;
  await expect(sse(serving.url).dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
  expect(await firstValueFrom(server.connections$)).toEqual([]);
});

it('fault 8: a stream that is cut ends the calls in flight and their handlers', async () => {
  const { serving, hanging, server } = await servedPond();
  const streams: AbortController[] = [];
  const remote = await visitor(serving.url, undefined, {
    fetch: async (url, init) => {
      const cut = new AbortController();
      if (init.method === 'GET') streams.push(cut);
      const signal =
        init.signal instanceof AbortSignal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal;
      return fetch(url, { ...init, signal });
    },
  });
  const call = once(tools(remote).call('hang'));
  const failed = expect(call).rejects.toMatchObject({ outcome: 'unknown' });
  await vi.waitUntil(() => hanging.running === 1);
  const redialing = firstValueFrom(remote.status$.pipe(filter(({ state }) => state === 'reconnecting')));
  streams[0]?.abort();
  await failed;
  await redialing;
  await vi.waitUntil(() => hanging.torndown === 1);
  // One redial, a new session, and the remote continues.
  expect(await say(remote, 'count', { to: 1 })).toBe('counted to 1');
  expect(streams).toHaveLength(2);
  expect(await firstValueFrom(server.connections$)).toHaveLength(1);
});

it('fault 9: two hundred answers of 64 KiB over sockets that split them arrive whole', async () => {
  const { serving } = await servedPond();
  const remote = await visitor(serving.url);
  const sizes = Array.from({ length: 200 }, (_, at) => 64 * 1024 + at);
  const texts = await Promise.all(sizes.map((size) => say(remote, 'big', { size })));
  expect(texts.map(({ length }) => length)).toEqual(sizes);
});

it('fault 26: sessions that come and go leave nothing behind', async () => {
  const { serving, server } = await servedPond();
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  let open = 0;
  const counting = server.connections$.subscribe((connections) => (open = connections.length));
  onTestFinished(() => counting.unsubscribe());
  const round = async (): Promise<void> => {
    const remotes = await Promise.all(Array.from({ length: 20 }, () => visitor(serving.url)));
    await Promise.all(remotes.map((remote) => say(remote, 'count', { to: 0 })));
    await Promise.all(remotes.map((remote) => remote.close()));
    await vi.waitUntil(() => open === 0);
  };
  await round();
  const before = timers();
  for (let at = 0; at < 4; at += 1) await round();
  await vi.waitUntil(() => timers() <= before + 2);
});

it('fault 26: streams that are opened and closed without a message leave nothing behind', async () => {
  const { serving, server } = await servedPond();
  let open = 0;
  let most = 0;
  const counting = server.connections$.subscribe(({ length }) => (most = Math.max(most, (open = length))));
  onTestFinished(() => counting.unsubscribe());
  for (let round = 0; round < 10; round += 1) {
    const opened = Array.from({ length: 50 }, () => request(serving.url, { agent: false }).end());
    for (const outgoing of opened)
      outgoing.on('error', () => undefined).on('response', (r) => void r.resume());
    await vi.waitUntil(() => open === 50);
    for (const outgoing of opened) outgoing.destroy();
    await vi.waitUntil(() => open === 0);
  }
  expect(most).toBe(50);
});

it('fault 27: five hundred sessions that are closed at once', async () => {
  const { serving, server } = await servedPond();
  const opened = Array.from({ length: 500 }, () => request(serving.url, { agent: false }).end());
  let ended = 0;
  for (const outgoing of opened) {
    outgoing.on('error', () => undefined);
    outgoing.on('response', (response) => response.on('end', () => (ended += 1)).resume());
  }
  let open = 0;
  const counting = server.connections$.subscribe((connections) => (open = connections.length));
  onTestFinished(() => counting.unsubscribe());
  await vi.waitUntil(() => open === 500);
  await Promise.all([serving.close(), serving.close()]);
  expect(open).toBe(0);
  await vi.waitUntil(() => ended === 500);
});
