import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idsIn, listening, messagesIn, post, request, until } from './calls.js';
import { greet, Reader, type Rig, rigs } from './fixtures.js';

// Only the one timer of the server is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

describe.each(rigs)('a client that polls and comes back before there is anything $name', ({ serve }) => {
  let rig: Rig;
  let headers: Record<string, string>;
  /** Makes a call that takes its time and comes back for it. */
  const early = async (keepAliveMs = 15_000): Promise<Reader> => {
    rig = await serve({ pollIntervalMs: 250, keepAliveIntervalMs: keepAliveMs });
    headers = await greet(rig);
    const primed = await rig.ask(post(request('tell', { count: 1, hold: true }), headers));
    await until(() => rig.desk.holding === 1);
    const told = await (await back(await primed.text())).rest();
    expect(messagesIn(told)).toHaveLength(1);
    return back(told);
  };
  const back = async (read: string): Promise<Reader> => {
    const id = idsIn(read).at(-1) ?? '';
    return new Reader(await rig.ask(listening({ ...headers, 'last-event-id': id })));
  };
  afterEach(() => rig.close());

  it('gets messages that come within a second without a reconnect', async () => {
    const reader = await early();
    await reader.until(': open');
    await pass(1);
    rig.desk.release();
    expect(messagesIn(await reader.rest())).toMatchObject([{ id: 1, result: { told: 1 } }]);
  });

  it.each([15_000, 1_000])('is closed after a moment, with a keep-alive after %i ms', async (keepAliveMs) => {
    const reader = await early(keepAliveMs);
    await reader.until(': open');
    await pass(3);
    expect(messagesIn(await reader.rest())).toEqual([]);
    rig.desk.release();
  });

  it('is sent away after the first message that it waited for', async () => {
    rig = await serve({ pollIntervalMs: 250 });
    headers = await greet(rig);
    const reader = await back(await (await rig.ask(listening(headers))).text());
    await reader.until(': open');
    await rig.ask(post(request('push'), headers));
    expect(messagesIn(await reader.rest())).toHaveLength(1);
  });
});
