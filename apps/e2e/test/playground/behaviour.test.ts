import { BehaviorSubject, concat, finalize, firstValueFrom, NEVER, of } from 'rxjs';
import { defineServer, logItem, progressItem, type Server } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts, prompt } from 'rxmcp/prompts';
import { image, offerTools, text, type Tool, tool, ToolError } from 'rxmcp/tools';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { expect, it, onTestFinished } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { closedPort, freePort } from '../../../../vitest.ports.js';
import { inChromium } from '../browser/chromium.js';
import { described } from '../websocket/served.js';
import { connect, fill, press, select, shows, status, usePlayground } from './visit.js';

const connections = exhaustive ? 20 : 7;

const forged = '<img src=x onerror="document.title=1">\u202eevil\u200b';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

async function served(server: Server): Promise<string> {
  const serving = await serveHttp(server, { port: 0 });
  onTestFinished(() => serving.close());
  return serving.url;
}

inChromium('the playground', (open) => {
  const visit = usePlayground(open);

  it('a call shows its progress and log, and is cancelled at the server', async () => {
    let torndown = 0;
    const slow = tool('slow', {}, () =>
      concat(of(progressItem(1, 2, 'half'), logItem('info', 'so far so good')), NEVER).pipe(
        finalize(() => (torndown += 1)),
      ),
    );
    const offers = [offerTools([slow, tool('other', {}, () => 'else')]), offerLogging()];
    const page = await visit(
      await served(defineServer({ info: { name: 'slow', version: '1.0.0' }, offers })),
    );
    await connect(page);
    await select(page, 'Tools', 'slow');
    await press(page, 'Call');
    await shows(page, /1 of 2 half[^]*info: so far so good/);
    await press(page, 'Cancel');
    await shows(page, 'Cancelled');
    await expect.poll(() => torndown).toBe(1);
    await press(page, 'Call');
    await shows(page, '1 of 2 half');
    await select(page, 'Tools', 'other');
    await expect.poll(() => torndown).toBe(2);
  });

  it('a watched resource changes, and the wire shows the frames', async () => {
    const { server, temperature } = described();
    const page = await visit(await served(server));
    await connect(page);
    await select(page, 'Resources', 'sensor://temperature');
    await press(page, 'Watch');
    await shows(page, '20');
    temperature.next(21);
    await shows(page, '21');
    await press(page, 'Wire');
    await page
      .getByRole('region', { name: 'Messages' })
      .getByText('"method":"resources/read"')
      .first()
      .waitFor();
  });

  it('is used by keyboard alone', async () => {
    const page = await visit();
    const server = await served(described().server);
    // What is typed before the field has the focus is lost.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(server);
    await page.keyboard.press('Enter');
    await status(page).getByText('Connected to pond').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing like it');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('o');
    const selected = page.getByRole('option', { selected: true });
    const first = await selected.innerText();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.innerText()).not.toBe(first);
    await page.getByRole('combobox').press('ControlOrMeta+a');
    await page.keyboard.type('count');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'count' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('1');
    await page.keyboard.press('Control+Enter');
    await shows(page, 'counted to 1');
  });

  it('shows hostile text as text, with its invisible characters, and pictures and failures of tools', async () => {
    // What follows the end of a PNG is ignored.
    const large = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(300_000)]).toString('base64');
    const tools = [
      tool('forged', { title: forged, description: forged }, () => [text(forged), image(large, 'image/png')]),
      tool('fails', {}, () => {
        throw new ToolError(forged);
      }),
    ];
    const offers = [offerTools(tools), offerPrompts([prompt('trick', { title: forged }, () => forged)])];
    const page = await visit(
      await served(defineServer({ info: { name: forged, version: '1.0.0' }, offers })),
    );
    await connect(page);
    await status(page).getByText('onerror="document.title=1">\\u{202e}evil\\u{200b}').waitFor();
    await select(page, 'Tools', 'forged');
    await press(page, 'Call');
    await shows(page, '\\u{202e}evil\\u{200b}');
    const pictures = page.locator('img');
    expect(await pictures.count()).toBe(1);
    await expect.poll(() => pictures.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
    await select(page, 'Tools', 'fails');
    await press(page, 'Call');
    await shows(page, /The tool reports an error:[^]*onerror/);
    expect(await page.title()).toBe('rxmcp playground');
  });

  it('a server that dies and comes back is connected again, and its lists are refreshed', async () => {
    const port = await freePort();
    const tools$ = new BehaviorSubject<readonly Tool[]>([tool('before', {}, () => NEVER)]);
    const server = (): Server =>
      defineServer({ info: { name: 'phoenix', version: '1.0.0' }, offers: [offerTools(tools$)] });
    const first = await serveWebSocket(server(), { port });
    const page = await visit(first.url);
    await connect(page);
    await select(page, 'Tools', 'before');
    await press(page, 'Call');
    await first.close();
    await status(page)
      .getByText(/onnecting …/)
      .waitFor();
    tools$.next([tool('after', {}, () => text('again'))]);
    const second = await serveWebSocket(server(), { port });
    onTestFinished(() => second.close());
    await select(page, 'Tools', 'after');
    await press(page, 'Call');
    await shows(page, 'again');
  });

  it('an address where no server listens, or of another scheme, is a readable error', async () => {
    const wrong = [
      [`http://127.0.0.1:${closedPort}/mcp`, /DIAL_FAILED: .*ECONNREFUSED/],
      ['ftp://127.0.0.1/', /no transport for "ftp:"/],
      [`ws://127.0.0.1:${closedPort}/mcp`, /DIAL_FAILED/],
    ] as const;
    const page = await visit();
    for (const [url, message] of wrong) {
      await fill(page, 'Server', url);
      await press(page, 'Connect');
      await status(page).getByText(message).waitFor();
    }
  });

  it(`${connections} connections leave nothing behind`, async () => {
    const { server } = described();
    const serving = await serveWebSocket(server, { port: 0 });
    onTestFinished(() => serving.close());
    const page = await visit(serving.url);
    const tools = await page.context().newCDPSession(page);
    const counted = async (): Promise<{ nodes: number; jsEventListeners: number }> => {
      await tools.send('HeapProfiler.collectGarbage');
      return tools.send('Memory.getDOMCounters');
    };
    const round = async (): Promise<void> => {
      await connect(page);
      await page.getByRole('region', { name: 'List' }).getByRole('button', { name: 'count' }).waitFor();
      await press(page, 'Disconnect');
      await status(page).getByText('Not connected.').waitFor();
    };
    await round();
    await round();
    const before = await counted();
    for (let at = 0; at < connections - 2; at += 1) await round();
    const grown = async (): Promise<boolean> => {
      const { nodes, jsEventListeners } = await counted();
      return nodes > before.nodes || jsEventListeners > before.jsEventListeners;
    };
    // The page keeps a socket until its closing handshake has ended.
    await expect.poll(grown, { timeout: 10_000 }).toBe(false);
    await expect.poll(() => firstValueFrom(server.connections$)).toEqual([]);
  });

  it('fits a narrow screen, and every input has a label', async () => {
    const page = await visit(await served(described().server));
    const size = page.viewportSize();
    onTestFinished(() => (size === null ? undefined : page.setViewportSize(size)));
    await page.setViewportSize({ width: 320, height: 640 });
    await connect(page);
    await select(page, 'Tools', 'count');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    const unlabelled = await page.evaluate(
      () =>
        [...document.querySelectorAll('input, textarea, select')].filter(
          (one) => (one as HTMLInputElement).labels?.length === 0 && !one.hasAttribute('aria-label'),
        ).length,
    );
    expect(unlabelled).toBe(0);
  });
});
