import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { bundle } from './bundle.js';
import { inChromium } from './chromium.js';
import { site } from './site.js';

inChromium('a server in a worker or a frame', (open) => {
  let scripts: Record<string, Uint8Array>;
  beforeAll(async () => {
    const [desk, worker, frame] = await Promise.all(
      ['desk', 'worker', 'frame'].map((name) => bundle(`page/${name}.ts`)),
    );
    scripts = { 'desk.js': desk!, 'worker.js': worker!, 'frame.js': frame! };
  });

  async function connected(over: 'worker' | 'frame', version: string): Promise<Page> {
    const [ours, theirs] = [await site(scripts), await site(scripts)];
    const page = await open(`${ours.origin}/desk`);
    const url = over === 'worker' ? `${ours.origin}/worker.js` : `${theirs.origin}/frame?for=${ours.origin}`;
    expect(await page.evaluate((way) => desk.connect(way), { over, url, version })).toBe(version);
    return page;
  }

  const all = [
    { over: 'worker', version: '2026-07-28' },
    { over: 'worker', version: '2025-11-25' },
    { over: 'frame', version: '2026-07-28' },
    { over: 'frame', version: '2025-11-25' },
  ] as const;
  // But for an exhaustive run, each once and each era once.
  const cells = all.filter(
    ({ over, version }) => exhaustive || (over === 'worker') === (version === '2026-07-28'),
  );
  describe.each(cells)('a $over at $version', ({ over, version }) => {
    it('lists, calls with progress, asks', async () => {
      const page = await connected(over, version);
      expect(await page.evaluate(() => desk.tools())).toContain('count');
      expect(await page.evaluate(() => desk.events('count', { to: 3 }))).toEqual(
        expect.arrayContaining(['progress 3', 'result']),
      );
      expect(await page.evaluate(() => desk.call('greet'))).toBe('Hello, Ada!');
      expect(await page.evaluate(() => desk.faults())).toEqual([]);
      expect(await page.evaluate(() => desk.violations())).toEqual([]);
    });

    it('is watched, and tears down a cancelled call', async () => {
      const page = await connected(over, version);
      await page.evaluate(() => desk.watch('sensor://temperature'));
      await expect.poll(() => page.evaluate(() => desk.seen())).toContain('100');
      await page.evaluate(() => desk.begin('hang'));
      await page.evaluate(() => desk.call('count', { to: 0 }));
      await page.evaluate(() => desk.leave());
      await expect.poll(() => page.evaluate(() => desk.seen())).toContain('101');
    });
  });

  it('a worker ends with its connection', async () => {
    const page = await connected('worker', '2026-07-28');
    expect(page.workers()).toHaveLength(1);
    await page.evaluate(() => desk.close());
    await expect.poll(() => page.workers()).toEqual([]);
  });

  it('a frame knows the page by its origin', async () => {
    const page = await connected('frame', '2026-07-28');
    expect(await page.evaluate(() => desk.call('whoami'))).toBe(new URL(page.url()).origin);
  });

  it('a frame that serves other pages does not answer', async () => {
    const [ours, theirs] = [await site(scripts), await site(scripts)];
    const page = await open(`${ours.origin}/desk`);
    const url = `${theirs.origin}/frame?for=${theirs.origin}`;
    const way = { over: 'frame', url, withinMs: 1_500 } as const;
    expect(await page.evaluate((it) => desk.connect(it), way)).toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
    });
  });
});
