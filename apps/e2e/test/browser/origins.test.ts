import { bearer } from '@rxmcp/transport/guard';
import { beforeAll, describe, expect, it } from 'vitest';
import { described } from '../websocket/served.js';
import { bundle } from './bundle.js';
import { inChromium } from './chromium.js';
import { served } from './served.js';
import { site } from './site.js';

const cells = [
  { over: 'http', version: '2026-07-28' },
  { over: 'http', version: '2025-11-25' },
  { over: 'sse', version: '2025-11-25' },
  { over: 'webSocket', version: '2026-07-28' },
] as const;

inChromium('pages and leave', (open) => {
  let scripts: Record<string, Uint8Array>;
  beforeAll(async () => {
    scripts = { 'desk.js': await bundle('page/desk.ts') };
  });

  describe.each(cells)('over $over at $version', ({ over, version }) => {
    it('a page of a foreign origin gets nothing', async () => {
      const [ours, foreign] = [await site(scripts), await site(scripts)];
      const { url, answers } = await served(described().server, over, ours.origin);
      const page = await open(`${foreign.origin}/desk`);
      const refused = await page.evaluate((way) => desk.connect(way), { over, url, version });
      expect(refused).toMatchObject({ code: expect.stringMatching(/^(DIAL_FAILED|CONNECTION_LOST)$/) });
      const preflights = answers.filter((answer) => answer.startsWith('OPTIONS'));
      const others = answers.filter((answer) => !answer.startsWith('OPTIONS'));
      // Either the browser asks whether it may, or the server refuses what comes unasked.
      expect(new Set(others)).toEqual(new Set(over === 'sse' ? ['GET 403'] : []));
      if (over === 'http') expect(new Set(preflights)).toEqual(new Set(['OPTIONS 204']));
    });
  });

  it('a request of a foreign page without a preflight is rejected by the server, and the answer is not shown', async () => {
    const [ours, foreign] = [await site(scripts), await site(scripts)];
    const { url, answers } = await served(described().server, 'http', ours.origin);
    const page = await open(`${foreign.origin}/desk`);
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } };
    expect(await page.evaluate(([to, how]) => desk.fetch(to, how), [url, init] as const)).toBe('TypeError');
    await expect.poll(() => answers).toEqual(['POST 403']);
  });

  describe.each(cells.filter(({ over }) => over !== 'webSocket'))(
    'over $over at $version',
    ({ over, version }) => {
      it('a page authenticates, and reads why it is rejected', async () => {
        const { origin } = await site(scripts);
        const { url } = await served(described().server, over, origin, {
          authenticate: bearer({ ada: 'open-sesame' }),
        });
        const page = await open(`${origin}/desk`);
        expect(await page.evaluate((way) => desk.connect(way), { over, url, version })).toMatchObject({
          code: 'UNAUTHORIZED',
          details: { status: 401, challenge: expect.stringContaining('Bearer') },
        });
        const headers = { authorization: 'Bearer open-sesame' };
        const way = { over, url, version, headers };
        expect(await page.evaluate((it) => desk.connect(it), way)).toBe(version);
        expect(await page.evaluate(() => desk.call('whoami'))).toBe('ada');
      });
    },
  );

  it('a WebSocket of a page reports that it cannot carry headers', async () => {
    const { origin } = await site(scripts);
    const { url } = await served(described().server, 'webSocket', origin);
    const page = await open(`${origin}/desk`);
    const way = { over: 'webSocket', url, headers: { authorization: 'Bearer open-sesame' } } as const;
    expect(await page.evaluate((it) => desk.connect(it), way)).toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      message: expect.stringContaining('sends no headers'),
    });
  });
});
