import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { started } from '../bin/started.js';
import type { OpenPage } from '../browser/chromium.js';

/** Opens the page of a playground, which ends with its test. */
export async function visit(open: OpenPage, args: readonly string[] = []): Promise<Page> {
  const { urls, end } = await started(['--port', '0', ...args], 1, 'playground');
  onTestFinished(async () => void (await end()));
  return open(urls[0] as string);
}

/** Connects to a URL, and waits until the page says so. */
export async function connectTo(page: Page, url: string): Promise<void> {
  await page.getByLabel('Server').fill(url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await status(page).getByText('Connected to').waitFor();
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
