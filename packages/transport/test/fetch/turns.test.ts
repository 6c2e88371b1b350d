import { expect, it, onTestFinished, vi } from 'vitest';
import { defaultFetch } from '../../src/fetch/node.js';
import { loopTurns } from '../../src/internal.js';
import { manual, serve } from './servers.js';

it('a response waits for one large message of another holder at a time, and not for all of them', async () => {
  const url = await serve((_, response) => response.end('ok'));
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The turn that has begun has an end on the real clock.
  for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
  let parsed = 0;
  for (let message = 0; message < 300; message += 1)
    loopTurns.run('principal ada', () => {
      parsed += 1;
      vi.advanceTimersByTime(20);
    });
  const response = await defaultFetch(url, manual);
  expect(await response.text()).toBe('ok');
  expect(parsed).toBeGreaterThan(0);
  expect(parsed).toBeLessThan(100);
  await vi.waitUntil(() => parsed === 300);
});

it.each(['with its length', 'that ends with its connection'])(
  'a large response %s has all bytes in their order where each turn is used up',
  async (how) => {
    const body = Buffer.from(Array.from({ length: 60_000 }, (_, at) => String(at)).join());
    const url = await serve((_, response) => {
      if (how === 'with its length') response.writeHead(200, { 'content-length': body.length });
      else response.writeHead(200, { connection: 'close' });
      for (let at = 0; at < body.length; at += 3_000) response.write(body.subarray(at, at + 3_000));
      response.end();
    });
    let isOver = false;
    const useUp = (): void => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      if (!isOver) setImmediate(() => setImmediate(() => loopTurns.run('principal ada', useUp)));
    };
    onTestFinished(() => void (isOver = true));
    loopTurns.run('principal ada', useUp);
    const texts = Array.from({ length: 8 }, async () => (await defaultFetch(url, manual)).text());
    for (const text of texts) expect((await text) === body.toString()).toBe(true);
  },
);
