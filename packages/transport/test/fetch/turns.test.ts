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
