import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHttpTransport } from '../../src/client/http.js';
import { ReconnectDelays } from '../../src/client/time/reconnect-delays.js';
import { timing } from '../../src/client/time/timing.js';
import { Recording } from './recording.js';

/** A server without a network, so that all time is virtual; gives when its stream was asked for. */
async function asked(answer: (count: number) => Response | Promise<Response>): Promise<{
  readonly times: number[];
  readonly lastEventIds: (string | null)[];
  readonly client: Recording;
}> {
  const times: number[] = [];
  const lastEventIds: (string | null)[] = [];
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    if (init.method !== 'GET') return new Response(null, { status: 202 });
    times.push(performance.now());
    lastEventIds.push(new Headers(init.headers).get('last-event-id'));
    return answer(times.length);
  };
  const connection = await createHttpTransport(new URL('http://localhost/mcp'), { fetch }).dial();
  const client = new Recording(connection);
  connection.start(client);
  await client.tell('notifications/initialized', { completesHandshake: true, version: '2025-11-25' });
  return { times, lastEventIds, client };
}

/** In steps, since what is read may wait for real turns of the event loop. */
async function pass(ms: number): Promise<void> {
  for (let step = 0; step < 200; step += 1) await vi.advanceTimersByTimeAsync(ms / 200);
}

const stream = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });

function most(times: readonly number[], windowMs: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));
}

describe('opening a stream again', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['without a word', () => stream('')],
    ['with a new id each time', (count: number) => stream(`id: ${String(count)}\nretry: 1\ndata:\n\n`)],
    ['with the same id each time', () => stream('id: 1\nretry: 0\ndata:\n\n')],
    ['after comments', () => stream(': hello\n\n')],
  ])(
    'fault 11: a server that accepts and closes %s is asked at most 5 times in 2 s',
    async (_how, response) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const { times, client } = await asked(response);
      await pass(20_000);
      expect(times.length).toBeGreaterThan(5);
      expect(most(times, 2_000)).toBe(5);
      expect(client.closes).toEqual([]);
      await client.connection.close();
      vi.restoreAllMocks();
    },
  );

  it('fault 11: pauses grow, up to 30 s, and only a stream that lived 30 s makes them short again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    let lives = 0;
    const { times, client } = await asked(() => {
      if (lives === 0) return stream('');
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void setTimeout(() => controller.close(), lives),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    await pass(400_000);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual((gaps[index - 1] ?? 0) - 2);
    expect(gaps.at(-1)).toBeGreaterThan(29_000);
    lives = 29_000;
    await pass(300_000);
    expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeGreaterThan(58_000);
    lives = 31_000;
    await pass(200_000);
    const count = times.length;
    await pass(200_000);
    expect(times.length - count).toBeGreaterThanOrEqual(6);
    await client.connection.close();
    vi.restoreAllMocks();
  });

  it('fault 12: each pause is a random part of its longest', () => {
    const pauses = new ReconnectDelays(timing);
    pauses.ended(false, true);
    const waits = Array.from({ length: 2_000 }, () => pauses.nextMs(undefined));
    const longest = timing.firstRetryDelayMs * timing.retryDelayFactor;
    for (let part = 0; part < 10; part += 1) {
      const share = waits.filter((ms) => ms >= (part * longest) / 10 && ms < ((part + 1) * longest) / 10);
      expect(share.length / waits.length).toBeGreaterThan(0.05);
      expect(share.length / waits.length).toBeLessThan(0.15);
    }
  });

  it('fault 12: of 5,000 clients that lose one server no tenth comes back in a twentieth of the time', () => {
    const times = Array.from({ length: 5_000 }, () => {
      const pauses = new ReconnectDelays(timing);
      pauses.opens();
      pauses.ended(true, true);
      return pauses.nextMs(undefined);
    }).sort((a, b) => a - b);
    const twentieth = timing.firstRetryDelayMs / 20;
    for (const [at, from] of times.entries()) {
      const end = times.findIndex((ms) => ms > from + twentieth);
      expect((end < 0 ? times.length : end) - at).toBeLessThan(500);
    }
  });

  it.each([
    ['0', 100],
    ['1', 100],
    ['700', 700],
    ['3600000', 60_000],
  ])('row 86: a retry of %s ms is a pause of %i ms', async (retry, ms) => {
    const { times, lastEventIds, client } = await asked((count) =>
      stream(`id: ${String(count)}\nretry: ${retry}\ndata:\n\n`),
    );
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(times).toHaveLength(2);
    expect(lastEventIds).toEqual([null, '1']);
    await client.connection.close();
  });

  it('row 86: an invalid retry changes nothing', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    for (const retry of ['1e99', '-1', 'abc']) {
      const { times, client } = await asked(() => stream(`id: 1\nretry: ${retry}\ndata:\n\n`));
      await vi.advanceTimersByTimeAsync(499);
      expect(times).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2);
      expect(times).toHaveLength(2);
      await client.connection.close();
    }
    vi.restoreAllMocks();
  });

  it('waits as long as a refusal asks for', async () => {
    const { times, client } = await asked((count) =>
      count === 1 ? stream('') : new Response(null, { status: 503, headers: { 'retry-after': '20' } }),
    );
    await pass(10_000);
    expect(times).toHaveLength(2);
    await pass(11_600);
    expect(times).toHaveLength(3);
    await client.connection.close();
  });

  it('leaves no timer behind when the connection is closed', async () => {
    const { client } = await asked(() => stream(''));
    await pass(10_000);
    await client.connection.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
