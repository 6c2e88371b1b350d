import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { started, type Started } from '../bin/started.js';
import { inChromium } from '../browser/chromium.js';
import { connectTo, press, select, shows, status, visit } from './visit.js';

const folder = mkdtempSync(join(tmpdir(), 'rxmcp-playground-'));
const readme = join(folder, 'README.md');

inChromium('the playground and the reference server', (open) => {
  let server: Started;
  beforeAll(async () => {
    writeFileSync(readme, '# Hello\n');
    server = await started(['--http', '0', '--sse', '0', '--ws', '0', '--root', folder], 3);
  });
  afterAll(async () => {
    await server?.end();
    rmSync(folder, { recursive: true });
  });

  describe.each([
    { over: 'Streamable HTTP', at: 0, era: 'modern era, revision 2026-07-28' },
    { over: 'HTTP+SSE', at: 1, era: 'legacy era, revision 2025-11-25' },
    { over: 'WebSocket', at: 2, era: 'modern era, revision 2026-07-28' },
  ])('over $over', ({ at, era }) => {
    it('calls, asks, refreshes, completes and shows steps', async () => {
      const page = await visit(open);
      await connectTo(page, server.urls[at] as string);
      await status(page).getByText(era).waitFor();

      // A form asks for what is missing.
      await select(page, 'Tools', 'calculate_sum');
      await page.getByLabel('a', { exact: true }).fill('2');
      await press(page, 'Call');
      await page.getByText('b: is required').waitFor();
      await page.getByLabel('b', { exact: true }).fill('40');
      await press(page, 'Call');
      await shows(page, '42');

      // The server asks a person, and its list of resources changes.
      await select(page, 'Tools', 'write_note');
      await page.getByLabel('title', { exact: true }).fill(`note ${at}`);
      await press(page, 'Call');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Text').fill('buy milk');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await shows(page, 'Added to the note');
      await select(page, 'Resources', `note://note%20${at}`);
      await press(page, 'Read');
      await shows(page, 'buy milk');

      // A variable of a template, and an argument of a prompt, are completed.
      await page.getByRole('region', { name: 'List' }).getByRole('button', { name: '{+path}' }).click();
      await page.getByLabel('path', { exact: true }).fill('READ');
      await press(page, 'README.md');
      await press(page, 'Read');
      await shows(page, '# Hello');
      const quick = page.getByRole('navigation', { name: 'Quick actions' });
      await quick.getByRole('button', { name: '/analyze-project' }).click();
      await page.getByLabel('timeframe').fill('1');
      await press(page, '1h');
      await press(page, 'Get');

      // The messages of a prompt are steps.
      await shows(page, /Step 1 of 3: user[^]*what is this project/);
      await press(page, 'Next');
      await press(page, 'Next');
      await shows(page, /Step 3 of 3: user[^]*# Hello/);

      await press(page, 'Disconnect');
      await status(page).getByText('Not connected.').waitFor();
    });
  });
});
