import type { Server } from '@rxmcp/core';
import { defineClient, defineServer, each, offerMethod, once, reconnect } from '@rxmcp/core';
import { defineOffer, getRemoteLink } from '@rxmcp/core/internal';
import type { OfferHost } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { endWith, ignoreElements, interval, map, merge, mergeMap, NEVER, switchMap, takeUntil } from 'rxjs';
import { afterEach, expect, it, vi } from 'vitest';
import type { Recording } from '../../src/index.js';
import { record, virtualTime } from '../../src/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';

const [minute, hour] = [60_000, 3_600_000];
const info = { name: 'day', version: '1.0.0' };

afterEach(() => vi.restoreAllMocks());

/** A list that changes each three hours, a method that answers and one that never does. */
function changing(): Server {
  const hosts = new Set<OfferHost>();
  const list = defineOffer({
    name: 'own',
    side: 'server',
    capabilities: { tools: { listChanged: true } },
    methods: [{ method: 'tools/list', handle: () => ({ tools: [], at: new Date().toISOString() }) }],
    start(host) {
      hosts.add(host);
      const alarm = setInterval(() => host.changed('tools'), 3 * hour);
      return () => {
        clearInterval(alarm);
        hosts.delete(host);
      };
    },
  });
  const offers = [offerMethod('own/ok', {}, () => ({ ok: 1 })), offerMethod('own/never', {}, () => NEVER)];
  return defineServer({ info, offers: [list, ...offers] });
}

interface Day {
  readonly wire: Recording;
  readonly seen: readonly string[];
  readonly timers: number;
}

/**
 * A client that is always there, for a day: it calls three times an hour, one call in three has no response and expires, each hour the
 * idle connection is closed, each six hours the server is away for a minute.
 */
async function aDay(version: string): Promise<Day> {
  using time = virtualTime({ seed: 3 });
  const seen: string[] = [];
  const say = (word: string): void => void seen.push(`${Math.round(time.nowMs)} ${word}`);
  const network = memory();
  let serving = network.serve(changing());
  const wire = record(network);
  const always = defineClient({ info, versions: [version] }).live(wire.recorded);
  const following = always
    .pipe(
      switchMap((remote) => {
        const list = getRemoteLink(remote).live('tools', [{ list: 'tools' }], () =>
          remote.request('tools/list'),
        );
        const closed = remote.status$.pipe(ignoreElements(), endWith(true));
        const calls = interval(15 * minute).pipe(
          takeUntil(closed),
          mergeMap((n) =>
            once(remote.request(n % 3 === 2 ? 'own/never' : 'own/ok', {}, { idleTimeoutMs: 90_000 })).then(
              () => 'answered',
              ({ code }: { code: string }) => code,
            ),
          ),
        );
        return merge(list.pipe(map(({ at }) => `list of ${String(at)}`)), calls);
      }),
      reconnect(),
    )
    .subscribe(say);
  let timers = 0;
  for (let hours = 1; hours <= 24; hours += 1) {
    await time.advance(hour - minute);
    timers = Math.max(timers, time.pendingTimers);
    await time.run(serving.close());
    if (hours % 6 === 0) await time.advance(minute);
    serving = network.serve(changing());
    if (hours % 6 !== 0) await time.advance(minute);
  }
  following.unsubscribe();
  await time.run(serving.close());
  await time.advance(hour);
  return { wire: wire.recording(), seen, timers };
}

it.each([
  ['2026-07-28', exhaustive ? 100 : 10],
  ['2025-11-25', 10],
])(
  'a day at %s has the same trace in %i runs, and no real timer',
  { timeout: 120_000 },
  async (version, runs) => {
    const real = (['setTimeout', 'setInterval', 'setImmediate'] as const).map((name) =>
      vi.spyOn(globalThis, name),
    );
    const first = await aDay(version);
    for (let run = 1; run < runs; run += 1) {
      const again = await aDay(version);
      // One text is compared faster than ten thousand members.
      expect(JSON.stringify(again) === JSON.stringify(first)).toBe(true);
    }
    for (const timer of real) expect(timer).not.toHaveBeenCalled();
    const opened = first.wire.frames.filter(({ type }) => type === 'opened').length;
    const ends = first.seen.map((line) => line.replace(/^\d+ /, ''));
    expect([first.wire.time, first.wire.lost]).toEqual(['virtual', 0]);
    expect(opened).toBe(24);
    expect(ends.filter((end) => end === 'TIMEOUT').length).toBeGreaterThan(10);
    expect(ends.filter((end) => end === 'answered').length).toBeGreaterThan(40);
    expect(ends.filter((end) => end.startsWith('list')).length).toBeGreaterThan(23);
  },
);

it('lets a stream be read with promises', async () => {
  using time = virtualTime();
  const first = async (): Promise<number> => {
    for await (const value of each(interval(1_000).pipe(map((n) => n + 1)))) if (value === 3) return value;
    return 0;
  };
  expect([await time.run(first()), time.nowMs]).toEqual([3, 3_000]);
});
