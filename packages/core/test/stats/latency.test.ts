import { expect, it } from 'vitest';
import { textSize } from '../../src/base/json-size.js';
import { Latency } from '../../src/stats/method-counter.js';

it('reports how long calls took, at most a fifth above the true value', () => {
  const latency = new Latency();
  expect(latency.stats()).toEqual({ count: 0, sumMs: 0, maxMs: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0 });
  for (let ms = 1; ms <= 1_000; ms += 1) latency.add(ms);
  const stats = latency.stats();
  expect(stats).toMatchObject({ count: 1_000, sumMs: 500_500, maxMs: 1_000 });
  const parts = [
    [stats.p50Ms, 500],
    [stats.p95Ms, 950],
    [stats.p99Ms, 990],
  ] as const;
  for (const [told, is] of parts) {
    expect(told).toBeGreaterThanOrEqual(is);
    expect(told).toBeLessThanOrEqual(is * 1.2);
  }
});

it('of a single call is what that took', () => {
  const latency = new Latency();
  latency.add(7);
  expect(latency.stats()).toEqual({ count: 1, sumMs: 7, maxMs: 7, p50Ms: 7, p95Ms: 7, p99Ms: 7 });
});

it('takes the shortest and the longest', () => {
  const latency = new Latency();
  for (const ms of [0, 1e-6, 1e9]) latency.add(ms);
  expect(latency.stats()).toMatchObject({ count: 3, maxMs: 1e9 });
});

it.each([{ a: 'text', b: [1, true, null], c: { d: {} } }, [], 'x', 7, undefined])(
  'knows about how long %j is',
  (value) => {
    const is = JSON.stringify(value)?.length ?? 0;
    expect(Math.abs(textSize(value) - is)).toBeLessThanOrEqual(2 + is / 4 + (value === undefined ? 9 : 0));
  },
);

it('does not look at all of something large', () => {
  const shared = new Array<number>(1_000).fill(1);
  const large = new Array(1_000).fill(shared);
  expect(textSize(large)).toBeLessThan(400_000);
});
