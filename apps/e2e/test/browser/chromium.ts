import { existsSync } from 'node:fs';
import process from 'node:process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';

const { RXMCP_CHROMIUM: given, RXMCP_REQUIRE_BROWSER: required } = process.env;
const path = given ?? '/usr/bin/chromium';

/** Why there is no browser here; undefined = there is one. */
const missing = existsSync(path)
  ? undefined
  : `no Chromium at ${path}: install it (apt-get install chromium), or name one in RXMCP_CHROMIUM`;

if (missing !== undefined && (required === '1' || given !== undefined)) throw new Error(missing);
if (missing !== undefined) console.log(`skipped, ${missing}`);

/** Opens a page at a URL; it is closed with its test. */
export type OpenPage = (url: string) => Promise<Page>;

/** Tests in a separate browser. Without one they are skipped, and the reason is printed. */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  describe.skipIf(missing !== undefined)(`in Chromium, ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      // The sandbox needs rights that containers do not have.
      browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
    });
    afterAll(() => browser?.close());
    tests(async (url) => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const thrown: string[] = [];
      page.on('pageerror', ({ message }) => thrown.push(message));
      onTestFinished(() => expect(thrown, 'uncaught errors of the page').toEqual([]));
      await page.goto(url);
      return page;
    });
  });
}
