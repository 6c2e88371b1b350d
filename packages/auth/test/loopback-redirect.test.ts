import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { loopbackRedirect, type LoopbackRedirectOptions } from '../src/node.js';

const address = new URL('https://login.example.com/authorize?state=s');

async function begun(options: LoopbackRedirectOptions = {}) {
  const session = await loopbackRedirect({ open: () => undefined, ...options }).start('name');
  onTestFinished(() => session.close?.());
  return session;
}

it('answers the browser with a page that loads nothing, and resolves with its address', async () => {
  const { redirectUri, open } = await begun();
  expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const landed = open(address, '');
  const page = await fetch(`${redirectUri}?code=c&state=s`);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('You can close this page now.'),
  ]);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  expect((await landed).search).toBe('?code=c&state=s');
  expect((await fetch(`${redirectUri}?code=d&state=s`)).status).toBe(404);
});

it('takes only a GET of its own path for the response', async () => {
  const { redirectUri, open } = await begun();
  expect((await fetch(`${redirectUri}?code=c&state=s`)).status).toBe(404);
  const landed = open(address, '');
  const right = `${redirectUri}?code=c&state=s`;
  const wrong: readonly (readonly [string, string])[] = [
    ['POST', right],
    ['GET', right.replace('/callback', '/')],
    ['GET', right.replace('/callback', '/callback/')],
    ['GET', `${redirectUri}?code=c&state=`],
  ];
  for (const [method, url] of wrong) {
    const response = await fetch(url, { method });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('There is nothing here.'),
    ]);
  }
  await fetch(right);
  expect((await landed).searchParams.get('code')).toBe('c');
});

it('says where the port of the options is not free', async () => {
  const taken = createServer();
  onTestFinished(() => void taken.close());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(begun({ port })).rejects.toMatchObject({
    code: 'REDIRECT_FAILED',
    message: `no server for the sign-in can listen at 127.0.0.1:${String(port)}`,
  });
});

it('fails where what opens the browser fails', async () => {
  const { open } = await begun({
    open: () => {
      throw new Error('no browser');
    },
  });
  await expect(open(address, '')).rejects.toThrow('no browser');
});
