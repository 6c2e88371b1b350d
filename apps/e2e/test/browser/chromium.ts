import { existsSync } from 'node:fs';
import process from 'node:process';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';

const { RXMCP_CHROMIUM: given, RXMCP_REQUIRE_BROWSER: required } = process.env;
const path = given ?? '/usr/bin/chromium';

/** Why there is no browser here; undefined = there is one. */
const missing = existsSync(path)
  ? undefined
  : `no Chromium at ${path}: install it (apt-get install chromium), or name one in RXMCP_CHROMIUM`;

if (missing !== undefined && (required === '1' || given !== undefined)) throw new Error(missing);
if (missing !== undefined) console.log(`skipped, ${missing}`);

/** Opens a page at a URL; it ends with its test. */
export type OpenPage = (url: string) => Promise<Page>;

// A new page takes four times the processor that another URL in a page takes, and a browser more: a worker has one, which ends with it.
let context: Promise<BrowserContext> | undefined;
let idle: Page | undefined;

/** Tests in a browser. Without one they are skipped, and the reason is printed. */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  describe.skipIf(missing !== undefined)(`in Chromium, ${name}`, () => {
    tests(async (url) => {
      const page = await takePage();
      const thrown: string[] = [];
      const note = ({ message }: Error): void => void thrown.push(message);
      page.on('pageerror', note);
      onTestFinished(async () => {
        await emptied(page);
        page.off('pageerror', note);
        expect(thrown, 'uncaught errors of the page').toEqual([]);
      });
      await page.goto(url);
      return page;
    });
  });
}

async function takePage(): Promise<Page> {
  // The sandbox needs rights that containers do not have.
  context ??= chromium
    .launch({ executablePath: path, chromiumSandbox: false })
    .then((browser) => browser.newContext());
  const page = idle ?? (await (await context).newPage());
  idle = undefined;
  return page;
}

/** Leaves nothing of a test in its page, which the next one takes. Popups are closed, and so is a second page. */
async function emptied(page: Page): Promise<void> {
  for (const other of page.context().pages()) if (other !== page && other !== idle) await other.close();
  await page.context().clearCookies();
  if (page.isClosed()) return;
  const frames = page.frames().map((frame) =>
    frame.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    }),
  );
  // A page that did not load has no storage.
  await Promise.allSettled(frames);
  await page.goto('about:blank');
  idle = page;
}
