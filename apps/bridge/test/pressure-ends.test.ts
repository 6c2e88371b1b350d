import { describe, expect, it } from 'vitest';
import { bareServer, clientOf, opened } from './raw.js';
import { until } from './until.js';

const large = 'x'.repeat(16 * 1024);
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('a client that does not read', () => {
  it('gets the latest progress of a call, and its result after it', async () => {
    const { transport, line } = await bareServer();
    const faults: string[] = [];
    const client = await clientOf(transport, faults);
    await opened(client);
    const server = line();
    server.heard.length = 0;
    client.write({ id: 1, method: 'x/call', params: { _meta: { progressToken: 'mine' } } });
    await server.has(1);
    const [{ id, params } = {}] = server.heard;
    const { progressToken } = params?.['_meta'] as { progressToken: unknown };
    client.socket.pause();
    for (const n of ids(1_000)) server.write({ method: 'x/tell', params: { n, large } });
    for (const progress of ids(1_000))
      server.write({ method: 'notifications/progress', params: { progressToken, progress } });
    server.write({ id, result: {} });
    // Once this is reported, the bridge has read all that came before.
    server.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE'));
    client.socket.resume();
    await until(() => client.heard.at(-1)?.id === 1);
    const reports = client.heard.filter(({ method }) => method === 'notifications/progress');
    expect(reports.map((report) => report.params)).toEqual([{ progressToken: 'mine', progress: 1_000 }]);
    expect(client.heard).toHaveLength(1_002);
  });

  it('is cut in the end, and its server with it, which is reported where it waits', async () => {
    const { transport, line } = await bareServer();
    const faults: string[] = [];
    const client = await clientOf(transport, faults, { writeTimeoutMs: 300 });
    await opened(client);
    client.socket.pause();
    const server = line();
    let isOver = false;
    server.socket.once('close', () => (isOver = true));
    server.write({ id: 1, method: 'roots/list' });
    for (const n of ids(1_000)) server.write({ method: 'x/tell', params: { n, large } });
    await until(() => isOver);
    expect(faults).toContain('STALLED');
    expect(server.heard.at(-1)).toMatchObject({ id: 1, error: { code: -31003, data: { code: 'STALLED' } } });
  });
});

describe('a server that does not read', () => {
  it('gets no more notifications once too many wait for it, and answers what it has got', async () => {
    const { transport, line } = await bareServer();
    const faults: string[] = [];
    const client = await clientOf(transport, faults);
    await opened(client);
    const server = line();
    server.heard.length = 0;
    server.socket.pause();
    client.write({ id: 1, method: 'x/call' });
    const text = 'x'.repeat(1024 * 1024);
    for (const n of ids(60)) client.write({ method: 'x/tell', params: { n, text } });
    client.write({ id: 2, method: 'x/call' });
    await client.has(1);
    expect(client.heard).toMatchObject([{ id: 2, error: { code: -31001 } }]);
    for (const n of ids(40)) client.write({ method: 'x/tell', params: { n, text } });
    // Once this is reported, the bridge has read all that came before.
    client.write({ id: null });
    await until(() => faults.includes('INVALID_MESSAGE') || client.heard.length > 1);
    server.socket.resume();
    await until(() => server.heard.filter(({ method }) => method === 'x/tell').length >= 32);
    server.write({ id: server.heard[0]?.id, result: {} });
    await until(() => client.heard.some(({ id }) => id === 1));
    expect(client.heard.find(({ id }) => id === 1)).toMatchObject({ result: {} });
    expect(faults.filter((code) => code === 'NOTIFICATION_DROPPED')).toHaveLength(1);
    expect(server.heard.length).toBeLessThan(60);
  });
});
