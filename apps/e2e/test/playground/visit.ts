import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { started, type Started } from '../bin/started.js';
import type { OpenPage } from '../browser/chromium.js';

/** Starts a playground for all tests; returns a function that opens its page, for a server if one is given. */
export function usePlayground(open: OpenPage): (url?: string) => Promise<Page> {
  let playground: Started;
  beforeAll(async () => {
    playground = await started(['--port', '0'], 1, 'playground');
  });
  afterAll(() => playground?.end());
  return (url) =>
    open(`${String(playground.urls[0])}${url === undefined ? '' : `?url=${encodeURIComponent(url)}`}`);
}

/** Connects to the URL that is filled in, and waits until the page says so. */
export async function connect(page: Page): Promise<void> {
  await press(page, 'Connect');
  await status(page).getByText('Connected to').waitFor();
}

export function fill(within: Page | Locator, label: string, text: string): Promise<void> {
  return within.getByRole('textbox', { name: label, exact: true }).fill(text);
}

export function status(page: Page): Locator {
  return page.getByRole('status');
}

/** Shows a view, and something of its list. */
export async function select(page: Page, view: string, label: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  await page.getByRole('region', { name: 'List' }).getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('heading', { name: label, exact: true }).waitFor();
}

/** Waits for a text in the result. */
export async function shows(page: Page, text: string | RegExp): Promise<void> {
  const result = page.getByRole('region', { name: 'Result' });
  await expect.poll(() => result.innerText()).toMatch(text);
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}
