import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listening, modern, post, request, until } from './calls.js';
import { greet, Reader, type Rig, rigs } from './fixtures.js';

// Only the one timer of the server is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** How often the timer comes within some minutes. */
async function looksIn(minutes: number): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  let looks = 0;
  for (; performance.now() < end; looks += 1) await vi.advanceTimersToNextTimerAsync();
  return looks;
}

describe.each(rigs)('a server that sleeps between keep-alives $name', ({ serve }) => {
  let rig: Rig;
  const readers: Reader[] = [];
  const listen = async (init: RequestInit): Promise<Reader> => {
    const reader = new Reader(await rig.ask(init));
    readers.push(reader);
    return reader;
  };
  afterEach(async () => {
    for (const reader of readers.splice(0)) await reader.leave();
    await rig.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('runs four times a minute for one stream', async () => {
    rig = await serve();
    await listen(modern('tell', { count: 1, hold: true }));
    await pass(60);
    expect(await looksIn(10)).toBeLessThanOrEqual(41);
  });

  it('runs as rarely for twenty of streams and sessions that began at all times', async () => {
    rig = await serve();
    for (let stream = 0; stream < 20; stream += 1) {
      await listen(stream % 2 === 0 ? modern('tell', { count: 1, hold: true }) : listening(await greet(rig)));
      await pass(1.1);
    }
    await pass(60);
    expect(await looksIn(10)).toBeLessThanOrEqual(41);
    for (const reader of readers) await reader.until('keep-alive');
  });

  it('keeps its time while requests come and go', async () => {
    rig = await serve();
    const reader = await listen(modern('tell', { count: 1, hold: true }));
    await reader.until('"told"');
    const times = [performance.now()];
    const heard = (async () => {
      for (let count = 1; count <= 4; count += 1) {
        await reader.until(': keep-alive\n\n'.repeat(count));
        times.push(performance.now());
      }
    })();
    for (let step = 0; times.length < 5 && step < 60; step += 1) {
      await (await rig.ask(modern('echo'))).text();
      await pass(1.9);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await heard;
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    // As seen at each second step.
    for (const gap of gaps) expect(Math.abs(gap - 15_000)).toBeLessThanOrEqual(3_800);
  });

  it('accepts a stream that begins while it sleeps, and ends a session that no client came back to', async () => {
    rig = await serve({ keepAliveIntervalMs: 60_000 });
    await listen(modern('tell', { count: 1, hold: true }));
    const used = await greet(rig);
    await rig.ask(post({ jsonrpc: '2.0', method: 'notifications/initialized' }, used));
    await pass(31.5);
    await listen(listening(used));
    const asleep = await greet(rig);
    const before = performance.now();
    await until(() => rig.desk.sessions.length === 2);
    while (rig.desk.sessions[1]?.closed === undefined) await vi.advanceTimersToNextTimerAsync();
    expect(performance.now() - before).toBeGreaterThan(58_000);
    expect(performance.now() - before).toBeLessThan(62_000);
    expect((await rig.ask(post(request('echo'), asleep))).status).toBe(404);
  });
});
