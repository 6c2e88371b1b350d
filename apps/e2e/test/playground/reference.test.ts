import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { started, type Started } from '../bin/started.js';
import { inChromium } from '../browser/chromium.js';
import { repository } from '../repository.js';
import { connect, fill, press, select, shows, status, usePlayground } from './visit.js';

const folder = mkdtempSync(join(tmpdir(), 'rxmcp-playground-'));
const readme = join(folder, 'README.md');

inChromium('the playground and the reference server', (open) => {
  const visit = usePlayground(open);
  let server: Started;
  beforeAll(async () => {
    writeFileSync(readme, '# Hello\n');
    server = await started(['--http', '0', '--sse', '0', '--ws', '0', '--root', folder], 3);
  });
  afterAll(async () => {
    await server?.end();
    rmSync(folder, { recursive: true });
  });

  const ways = [
    { over: 'HTTP+SSE', at: 1, era: 'legacy era, revision 2025-11-25' },
    { over: 'WebSocket', at: 2, era: 'modern era, revision 2026-07-28' },
    { over: 'Streamable HTTP', at: 0, era: 'modern era, revision 2026-07-28' },
  ];
  // But for an exhaustive run, one transport of each era.
  describe.each(exhaustive ? ways : ways.slice(0, 2))('over $over', ({ at, era }) => {
    it('calls, asks, refreshes, completes and shows steps', async () => {
      const page = await visit(server.urls[at] as string);
      await connect(page);
      await status(page).getByText(era).waitFor();

      // A form asks for what is missing.
      await select(page, 'Tools', 'calculate_sum');
      await fill(page, 'a', '2');
      await press(page, 'Call');
      await page.getByText('b: is required').waitFor();
      await fill(page, 'b', '40');
      await press(page, 'Call');
      await shows(page, '42');

      // The server asks a person, and its list of resources changes.
      await select(page, 'Tools', 'write_note');
      await fill(page, 'title', `note ${at}`);
      await press(page, 'Call');
      const dialog = page.getByRole('dialog');
      await fill(dialog, 'Text', 'buy milk');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await shows(page, 'Added to the note');
      await select(page, 'Resources', `note://note%20${at}`);
      await press(page, 'Read');
      await shows(page, 'buy milk');

      // A variable of a template, and an argument of a prompt, are completed.
      await page.getByRole('region', { name: 'List' }).getByRole('button', { name: '{+path}' }).click();
      await fill(page, 'path', 'READ');
      await press(page, 'README.md');
      await press(page, 'Read');
      await shows(page, '# Hello');
      const quick = page.getByRole('navigation', { name: 'Quick actions' });
      await quick.getByRole('button', { name: '/analyze-project' }).click();
      await fill(page, 'timeframe', '1');
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

  it('a command is bridged, and the person is the model of its server', async () => {
    const command = [
      process.execPath,
      join(repository, 'apps/server/dist/main.js'),
      '--stdio',
      '--root',
      folder,
    ];
    const { urls, end } = await started(['--port', '0', '--', ...command], 1, 'playground');
    onTestFinished(async () => void (await end()));
    const page = await open(urls[0] as string);
    await connect(page);
    await select(page, 'Tools', 'summarize_file');
    await fill(page, 'filepath', 'README.md');
    await press(page, 'Call');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('# Hello').waitFor();
    await fill(dialog, 'Answer', 'It greets.');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await shows(page, 'It greets.');
  });
});
