import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { freePort } from '../../../../vitest.ports.js';
import { described } from '../websocket/served.js';
import { bundle } from './bundle.js';
import { inChromium } from './chromium.js';
import { served } from './served.js';
import { site } from './site.js';

inChromium('an address and whatever is there', (open) => {
  let scripts: Record<string, Uint8Array>;
  beforeAll(async () => {
    scripts = { 'desk.js': await bundle('page/desk.ts') };
  });

  const found = [
    { over: 'http', version: '2026-07-28' },
    { over: 'sse', version: '2025-11-25' },
    { over: 'webSocket', version: '2026-07-28' },
  ] as const;

  it('the transport is found, and the newest revision agreed on', async () => {
    const { origin } = await site(scripts);
    const page = await open(`${origin}/desk`);
    for (const { over, version } of found) {
      const { url } = await served(described().server, over, origin);
      const way = { over: 'transportFor', url } as const;
      expect(await page.evaluate((it) => desk.connect(it), way), over).toBe(version);
      expect(await page.evaluate(() => desk.call('count', { to: 2 }))).toBe('counted to 2');
      await page.evaluate(() => desk.close());
    }
  });

  it('to where no server listens fails', async () => {
    const { origin } = await site(scripts);
    const page = await open(`${origin}/desk`);
    for (const over of ['http', 'sse', 'webSocket'] as const) {
      const { url, close } = await served(described().server, over, origin);
      await close();
      expect(await page.evaluate((way) => desk.connect(way), { over, url }), over).toMatchObject({
        code: expect.stringMatching(/^(DIAL_FAILED|CONNECTION_LOST)$/),
      });
    }
  });

  it('a page that is left ends its connection, and its calls are torn down', async () => {
    const { origin } = await site(scripts);
    for (const over of ['http', 'webSocket'] as const) {
      const { server, torndown } = described();
      const { url } = await served(server, over, origin);
      const page = await open(`${origin}/desk`);
      await page.evaluate((way) => desk.connect(way), { over, url });
      await page.evaluate(() => desk.begin('hang'));
      await page.evaluate(() => desk.call('count', { to: 0 }));
      await page.close();
      await expect.poll(torndown).toBe(1);
    }
  });

  // Each transport of a browser; in Node, sessions of HTTP too.
  it.each([
    { over: 'http', version: '2026-07-28' },
    ...(exhaustive ? [{ over: 'http', version: '2025-11-25' } as const] : []),
    { over: 'sse', version: '2025-11-25' },
    { over: 'webSocket', version: '2026-07-28' },
  ] as const)('after a restart of $over at $version subscriptions continue', async ({ over, version }) => {
    const { origin } = await site(scripts);
    const port = await freePort();
    const first = await served(described().server, over, origin, { port });
    const page = await open(`${origin}/desk`);
    const way = { over, url: first.url, version };
    await page.evaluate((it) => desk.follow(it, 'sensor://temperature'), way);
    await expect.poll(() => page.evaluate(() => desk.seen())).toEqual(['20']);
    await first.close();
    const { server, temperature } = described();
    temperature.next(7);
    await served(server, over, origin, { port });
    await expect.poll(() => page.evaluate(() => desk.seen())).toContain('7');
  });

  it('a redirect is not followed, and reported', async () => {
    const { origin } = await site(scripts);
    const from = createServer((request, response) => {
      const cors = { 'access-control-allow-origin': origin, 'access-control-allow-headers': '*' };
      if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
      else response.writeHead(307, { ...cors, location: `${origin}/elsewhere` }).end();
    });
    await new Promise<void>((resolve) => from.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void from.close().closeAllConnections());
    const url = `http://127.0.0.1:${String((from.address() as AddressInfo).port)}/mcp`;
    const page = await open(`${origin}/desk`);
    for (const over of ['http', 'sse'] as const)
      expect(await page.evaluate((way) => desk.connect(way), { over, url }), over).toMatchObject({
        code: over === 'http' ? 'REJECTED' : 'DIAL_FAILED',
        message: expect.stringContaining('redirects'),
      });
  });
});
