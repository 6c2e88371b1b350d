import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sweep } from '../../src/server/sweep.js';
import { listening, messagesIn, modern, post, request, until } from './calls.js';
import { greet, Reader, type Rig, rigs } from './fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

// Only the one timer of the server is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The timers of this file. Servers that other files left open start theirs anew at any time, but do not call `wake`. */
const running = new Set<Sweep>();
beforeEach(() => {
  running.clear();
  const { wake, stop } = Sweep.prototype;
  const starts = vi.spyOn(Sweep.prototype, 'wake').mockImplementation(function (this: Sweep) {
    running.add(this);
    wake.call(this);
  });
  const stops = vi.spyOn(Sweep.prototype, 'stop').mockImplementation(function (this: Sweep) {
    running.delete(this);
    stop.call(this);
  });
  return () => {
    starts.mockRestore();
    stops.mockRestore();
  };
});

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

describe.each(rigs)('time $name', ({ serve }) => {
  let rig: Rig;
  afterEach(async () => {
    await rig.close();
    expect(running.size).toBe(0);
  });

  it('fault 10: a silent stream sends a keep-alive every 15 s', async () => {
    rig = await serve();
    const headers = await greet(rig);
    const readers = [
      new Reader(await rig.ask(listening(headers))),
      new Reader(await rig.ask(post(request('tell', { count: 1, hold: true }), headers))),
      new Reader(await rig.ask(modern('tell', { count: 1, hold: true }))),
    ];
    await pass(14);
    await pass(47);
    for (const reader of readers) {
      await reader.until(': keep-alive\n\n: keep-alive\n\n: keep-alive\n\n: keep-alive\n\n');
      expect(reader.text.match(/keep-alive/g)).toHaveLength(4);
      await reader.leave();
    }
  });

  it('fault 34: an unused session ends after its time, with its connection', async () => {
    rig = await serve({ sessionIdleTimeoutMs: 120_000 });
    const headers = await greet(rig);
    const use = async (): Promise<number> => (await rig.ask(post(request('echo'), headers))).status;
    expect(await use()).toBe(200);
    await pass(115);
    expect(await use()).toBe(200);
    await pass(115);
    expect(rig.desk.sessions[0]?.closed).toBeUndefined();
    await pass(10);
    expect(rig.desk.sessions[0]?.closed).toBeNull();
    expect(await use()).toBe(404);
  });

  it('an open stream or a running request keeps it', async () => {
    rig = await serve({ sessionIdleTimeoutMs: 120_000 });
    const [streaming, calling] = [await greet(rig), await greet(rig)];
    const reader = new Reader(await rig.ask(listening(streaming)));
    await reader.until('id: ');
    const held = rig.ask(post(request('hold'), calling));
    await until(() => rig.desk.holding === 1);
    await pass(3_600);
    rig.desk.release();
    expect((await held).status).toBe(200);
    await (await held).text();
    await reader.leave();
    await vi.waitFor(async () => {
      await pass(130);
      expect(rig.desk.sessions.map(({ closed }) => closed)).toEqual([null, null]);
    });
  });

  it('the connection of requests without a session ends when idle, and the next request opens another', async () => {
    rig = await serve({ sessionIdleTimeoutMs: 120_000 });
    const reader = new Reader(await rig.ask(modern('tell', { count: 1, hold: true })));
    await reader.until('data: ');
    await pass(3_600);
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([undefined]);
    await reader.leave();
    // The server sees the reader leave a little later.
    await vi.waitFor(async () => {
      await pass(130);
      expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([null]);
    });
    for (let request = 1; request <= 2; request += 1) {
      expect((await rig.ask(modern('echo'))).status).toBe(200);
      await pass(100);
    }
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([null, undefined]);
  });

  it('row 41: a session whose client never comes back after the handshake is closed after 60 s', async () => {
    rig = await serve();
    await greet(rig);
    const used = await greet(rig);
    await rig.ask(post({ jsonrpc: '2.0', method: 'notifications/initialized' }, used));
    await pass(66);
    expect(rig.desk.sessions.map(({ closed }) => closed)).toEqual([null, undefined]);
  });

  it('fault 23: the time that a process was held up does not count', async () => {
    rig = await serve();
    await greet(rig);
    // The clock moves by an hour while the timer comes once.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(5);
    expect(rig.desk.sessions[0]?.closed).toBeUndefined();
    now.mockRestore();
  });

  it('ended streams can be resumed during 5 min, and then not any more', async () => {
    rig = await serve();
    const headers = await greet(rig);
    const told = await (await rig.ask(post(request('tell', { count: 1 }), headers))).text();
    const id = /id: (\S+)/.exec(told)?.[1] ?? '';
    const again = async (): Promise<Response> => rig.ask(listening({ ...headers, 'last-event-id': id }));
    await pass(295);
    expect(messagesIn(await (await again()).text())).toHaveLength(2);
    await pass(310);
    expect((await again()).status).toBe(400);
  });
});

describe.each(rigs)('row 41 and fault 12: too many sessions $name', ({ serve }) => {
  it('one more than the share of its holder is refused, those that are there stay', async () => {
    const rig = await serve({ maxSessions: 6 });
    const open = [await greet(rig), await greet(rig), await greet(rig)];
    for (let flood = 0; flood < 200; flood += 1) {
      const response = await rig.ask(post(request('initialize', { protocolVersion: '2025-11-25' })));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({ error: { code: -31001, data: { retryable: true } } });
    }
    for (const headers of open) expect((await rig.ask(post(request('echo'), headers))).status).toBe(200);
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    await rig.ask({ method: 'DELETE', headers: open[0] ?? {} });
    await greet(rig);
    expect(rig.desk.sessions).toHaveLength(4);
    await rig.close();
  });

  it('another caller gets the place of the longest idle one of the caller with most', async () => {
    const rig = await serve({
      maxSessions: 4,
      authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }),
    });
    const as = (name: string): Rig => ({
      ...rig,
      ask: (init = {}) => rig.ask({ ...init, headers: { ...init.headers, authorization: `Bearer ${name}` } }),
    });
    const ada = [await greet(as('ada')), await greet(as('ada'))];
    await greet(as('bob'));
    await greet(as('eve'));
    await pass(10);
    const echo = post(request('echo'), ada[1]);
    expect((await as('ada').ask(echo)).status).toBe(200);
    // A caller with as many sessions as the largest takes none of them.
    const more = post(request('initialize', { protocolVersion: '2025-11-25' }));
    const refused = await as('bob').ask(more);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('the server has as many sessions open as');
    await greet(as('ivy'));
    expect((await as('ada').ask(post(request('echo'), ada[0]))).status).toBe(404);
    expect((await as('ada').ask(echo)).status).toBe(200);
    await rig.close();
  });

  it('fault 26: closed ones leave nothing', async () => {
    const rig = await serve({ maxSessions: 2 });
    for (let round = 0; round < 100; round += 1) {
      const headers = await greet(rig);
      await (await rig.ask(post(request('tell', { count: 1 }), headers))).text();
      expect((await rig.ask({ method: 'DELETE', headers })).status).toBe(200);
    }
    expect(rig.desk.sessions.every(({ closed }) => closed === null)).toBe(true);
    await rig.close();
    expect(running.size).toBe(0);
  });
});
