import { describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from 'rxmcp';
import { bridge, defineClient, defineServer, offerMethod, once } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { serveSocket, socket } from 'rxmcp/stdio/net';
import type { Transport } from 'rxmcp/transport';
import { bareServer, clientOf, opened } from './raw.js';
import { until } from './until.js';

const large = 'x'.repeat(16 * 1024);
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** A client in memory, over a bridge. */
async function connected(back: Transport): Promise<Remote> {
  const link = memory();
  const serving = link.serve(bridge(back));
  onTestFinished(() => serving.close());
  const remote = await defineClient({ info: { name: 'c', version: '1' }, eras: ['legacy'] }).connect(link);
  onTestFinished(() => remote.close());
  return remote;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Resolves once a count has stood still for many turns. All sides are in this process: what can be read is read within a few turns,
 * however busy the machine is.
 */
async function settled(count: () => number): Promise<number> {
  let before = count();
  for (let still = 0; still < 500; still += 1) {
    await turn();
    if (count() !== before) [before, still] = [count(), 0];
  }
  return before;
}

describe('a client that does not read', () => {
  it('is not read either, so that its server has less work; then it gets every response once', async () => {
    let served = 0;
    const big = offerMethod('x/big', {}, () => ({ n: (served += 1), large }));
    const serving = await serveSocket(defineServer({ info: { name: 's', version: '1' }, offers: [big] }), {
      port: 0,
    });
    onTestFinished(() => serving.close());
    const client = await clientOf(socket({ port: serving.port }));
    await opened(client);
    client.socket.pause();
    const total = 3_000;
    let isHeld = false;
    for (const id of ids(total)) {
      client.write({ id, method: 'x/big', params: { pad: 'y'.repeat(1_024) } });
      // A client must not send requests faster than they are answered: small ones are read before large responses.
      for (let turns = 0; served < id - 100 && !isHeld; turns += 1) {
        isHeld = turns === 500;
        await turn();
      }
    }
    await until(() => served > 0);
    const before = await settled(() => served);
    expect(before).toBeGreaterThan(0);
    // 48 MiB of responses, of which the system takes some, and the bridge keeps little.
    expect(before).toBeLessThan(total / 2);
    client.socket.resume();
    await client.has(total);
    expect(client.heard.map(({ id }) => id)).toEqual(ids(total));
    expect(client.heard.every(({ result }) => result?.['large'] === large)).toBe(true);
  });

  it('gets the last of what repeats itself, all else in order, and the number of records that it missed', async () => {
    const { transport, line } = await bareServer();
    const faults: string[] = [];
    const client = await clientOf(transport, faults);
    await opened(client);
    client.socket.pause();
    const server = line();
    for (const n of ids(1_200)) server.write({ method: 'x/tell', params: { n, large } });
    const uri = 'v://now';
    for (const n of ids(1_000)) {
      server.write({ method: 'notifications/message', params: { level: 'info', data: n } });
      server.write({ method: 'notifications/resources/updated', params: { uri } });
      if (n % 100 === 0) server.write({ method: 'x/tell', params: { n: 1_200 + n / 100 } });
    }
    server.write({ method: 'notifications/tools/list_changed' }, { method: 'x/last' });
    // Once this is reported, the bridge has read all that came before.
    server.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE'));
    client.socket.resume();
    await until(() => client.heard.at(-1)?.method === 'x/last');
    const of = (name: string) => client.heard.filter(({ method }) => method === name);
    expect(of('x/tell').map(({ params }) => params?.['n'])).toEqual(ids(1_210));
    expect(of('notifications/resources/updated')).toHaveLength(1);
    expect(of('notifications/tools/list_changed')).toHaveLength(1);
    const records = of('notifications/message').map(({ params }) => params);
    expect(records.map((record) => record?.['data'])).toEqual(ids(1_000).slice(-256));
    expect(records[0]?.['_meta']).toEqual({ 'rxmcp/lost': 744 });
    expect(records[1]).not.toHaveProperty('_meta');
  });

  it('is not asked without end: beyond 4,096 pending asks, the next are refused as retryable', async () => {
    const { transport, line } = await bareServer();
    const client = await clientOf(transport);
    await opened(client);
    client.socket.pause();
    const server = line();
    server.heard.length = 0;
    const total = 7_500;
    for (const id of ids(total))
      server.write({ id, method: 'roots/list', params: { pad: 'y'.repeat(4_096) } });
    await until(() => server.heard.some(({ error }) => error?.code === -31001));
    const refused = await settled(() => server.heard.length);
    client.onMessage(({ id }) => client.write({ id, result: { roots: [] } }));
    client.socket.resume();
    await until(() => server.heard.filter(({ id }) => id !== undefined).length >= total);
    const responses = server.heard.filter(({ id }) => id !== undefined);
    expect(responses.map(({ id }) => id).sort((a = 0, b = 0) => a - b)).toEqual(ids(total));
    expect(responses.filter(({ result }) => result !== undefined)).toHaveLength(client.heard.length);
    expect(client.heard.length).toBeGreaterThanOrEqual(4_096);
    expect(refused).toBeGreaterThan(0);
  });

  it('ends with OVERFLOW, and its server with it, where that continues to send what may not be lost', async () => {
    const { transport, line } = await bareServer();
    const faults: string[] = [];
    const client = await clientOf(transport, faults);
    await opened(client);
    client.socket.pause();
    const server = line();
    let isOver = false;
    server.socket.once('close', () => (isOver = true));
    for (const n of ids(2_500)) server.write({ method: 'x/tell', params: { n, large } });
    await until(() => isOver);
    expect(faults).toContain('OVERFLOW');
  });
});

describe('a server that does not read', () => {
  it('makes its client wait; then it gets every call once', async () => {
    const { transport, line } = await bareServer();
    const remote = await connected(transport);
    const server = line();
    server.socket.pause();
    server.onMessage(({ id, params }) => server.write({ id, result: { n: params?.['n'] } }));
    let answered = 0;
    const calls = ids(1_000).map(async (n) => {
      const result = await once(remote.request('x/call', { n, large }));
      answered += 1;
      return result;
    });
    expect(await settled(() => answered)).toBe(0);
    server.socket.resume();
    expect((await Promise.all(calls)).map(({ n }) => n)).toEqual(ids(1_000));
  });

  it('is cut in the end, and each call that waits fails', async () => {
    const { transport, line } = await bareServer({ writeTimeoutMs: 500 });
    const remote = await connected(transport);
    line().socket.pause();
    const lost = { code: -31003, data: { code: 'STALLED', outcome: 'unknown' } };
    const calls = ids(1_000).map((n) => once(remote.request('x/call', { n, large })));
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(lost)));
  });

  it('never has more than 4,096 waiting requests of a client, and each further one is refused as retryable', async () => {
    const { transport, line } = await bareServer();
    const client = await clientOf(transport);
    await opened(client);
    const server = line();
    server.socket.pause();
    server.heard.length = 0;
    server.onMessage(({ id }) => server.write({ id, result: {} }));
    const total = 7_500;
    const pad = 'y'.repeat(4 * 1024);
    for (const id of ids(total)) client.write({ id, method: 'x/call', params: { pad } });
    await until(() => client.heard.length > 0);
    await settled(() => client.heard.length);
    const refused = client.heard.map(({ id }) => id);
    expect(client.heard[0]?.error).toMatchObject({
      code: -31001,
      data: { retryable: true, executed: false },
    });
    server.socket.resume();
    await client.has(total);
    expect(client.heard.map(({ id }) => id).sort((a = 0, b = 0) => a - b)).toEqual(ids(total));
    const answered = client.heard.filter(({ result }) => result !== undefined);
    expect(answered).toHaveLength(total - refused.length);
    expect(answered.length).toBeGreaterThanOrEqual(4_096);
    expect(server.heard).toHaveLength(answered.length);
  });
});
