import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { serverNamed } from '../matrix/servers/index.js';
import { described } from '../websocket/served.js';
import { bundle } from './bundle.js';
import { inChromium } from './chromium.js';
import { type Carrier, served, type Served } from './served.js';
import { site } from './site.js';

const all = [
  { over: 'http', version: '2026-07-28' },
  { over: 'http', version: '2025-11-25' },
  { over: 'sse', version: '2025-11-25' },
  { over: 'sse', version: '2024-11-05' },
  { over: 'webSocket', version: '2026-07-28' },
  { over: 'webSocket', version: '2025-11-25' },
] as const;
/** But for an exhaustive run, HTTP in each era, and one revision over each other transport. */
const cells = all.filter(
  ({ over, version }) =>
    exhaustive || over === 'http' || version === (over === 'sse' ? '2025-11-25' : '2026-07-28'),
);

inChromium('a client and a server in Node', (open) => {
  let script: Uint8Array;
  beforeAll(async () => {
    script = await bundle('page/desk.ts');
  });

  /** A page of another origin than the server that it is connected to. */
  async function connected(
    acceptor: Parameters<typeof served>[0],
    over: Carrier,
    version: string,
  ): Promise<Served & { readonly page: Page }> {
    const { origin } = await site({ 'desk.js': script });
    const serving = await served(acceptor, over, origin);
    const page = await open(`${origin}/desk`);
    const way = { over, url: serving.url, version };
    expect(await page.evaluate((it) => desk.connect(it), way)).toBe(version);
    return { ...serving, page };
  }

  describe.each(cells)('over $over at $version', ({ over, version }) => {
    // One page for all: to load one is most of the work.
    it('lists, calls with progress, cancels, watches, and answers the server', async () => {
      const { server, torndown, temperature } = described();
      const { page, answers } = await connected(server, over, version);
      expect(await page.evaluate(() => desk.tools())).toContain('count');
      expect(await page.evaluate(() => desk.events('count', { to: 3 }))).toEqual(
        expect.arrayContaining(['progress 3', 'result']),
      );
      expect(await page.evaluate(() => desk.call('count', { to: 2 }))).toBe('counted to 2');

      // A cancelled call is torn down.
      await page.evaluate(() => desk.begin('hang'));
      expect(await page.evaluate(() => desk.call('count', { to: 0 }))).toBe('counted to 0');
      await page.evaluate(() => desk.leave());
      await expect.poll(torndown).toBe(1);
      expect(await page.evaluate(() => desk.call('count', { to: 1 }))).toBe('counted to 1');

      await page.evaluate(() => desk.watch('sensor://temperature'));
      await expect.poll(() => page.evaluate(() => desk.seen())).toContain('20');
      temperature.next(21);
      await expect.poll(() => page.evaluate(() => desk.seen())).toEqual(['20', '21']);

      // The server asks the user of the page. Older revisions have no forms.
      if (version >= '2025-06-18') expect(await page.evaluate(() => desk.call('greet'))).toBe('Hello, Ada!');

      expect(await page.evaluate(() => desk.faults())).toEqual([]);
      await page.evaluate(() => desk.close());
      if (over !== 'webSocket') expect(answers).toContain('OPTIONS 204');
      // A page may end its session, which it does not when it cannot read what the session is called.
      if (over === 'http' && version === '2025-11-25')
        await expect.poll(() => answers).toContain('DELETE 200');
    });

    it('the server asks the model of the page', async () => {
      const { page } = await connected(serverNamed('asking', {}), over, version);
      const said = await page.evaluate(() => desk.call('ask_files', { question: 'What bird?' }));
      expect(said).toContain('parrot');
      expect(said).toContain('A heron.');
    });
  });

  it.each(['2026-07-28', '2025-11-25'])(
    'at %s more calls than a browser opens connections can be cancelled, and the next one is answered',
    async (version) => {
      const { server, torndown } = described();
      const { page } = await connected(server, 'http', version);
      await page.evaluate(() => desk.begin('hang', 10));
      await page.evaluate(() => desk.leave());
      expect(await page.evaluate(() => desk.call('count', { to: 1 }))).toBe('counted to 1');
      await page.evaluate(() => desk.begin('hang', 3));
      expect(await page.evaluate(() => desk.call('count', { to: 1 }))).toBe('counted to 1');
      const before = torndown();
      await page.evaluate(() => desk.leave());
      await expect.poll(torndown).toBe(before + 3);
    },
  );

  it('four concurrent calls of a session that ask leave a connection for the answers', async () => {
    const { page } = await connected(serverNamed('asking', {}), 'http', '2025-11-25');
    const all = page.evaluate(() =>
      Promise.all([1, 2, 3, 4].map((bird) => desk.call('ask_files', { question: `Bird ${String(bird)}?` }))),
    );
    expect((await all).map((said) => typeof said === 'string' && said.includes('A heron.'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('does not evaluate text as code', async () => {
    const { page } = await connected(described().server, 'http', '2026-07-28');
    await page.evaluate(() => desk.tools());
    expect(await page.evaluate(() => desk.violations())).toEqual([]);
    expect(await page.evaluate(() => desk.evaluates())).toBe(false);
    await expect.poll(() => page.evaluate(() => desk.violations())).toEqual(['script-src']);
  });
});
