import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oauth } from '@rxmcp/auth';
import { loopbackRedirect } from '@rxmcp/auth/node';
import { http } from '@rxmcp/http';
import { httpHandler } from '@rxmcp/http/node';
import { serveWebSocket } from '@rxmcp/websocket/node';
import type { Page } from 'playwright-core';
import { defineClient, once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { AuthorizationServer } from '../../../../vitest.oidc.js';
import { authorizationServer, guarded, listening, server } from '../auth/protected.js';
import { bundle } from './bundle.js';
import { inChromium } from './chromium.js';
import { site } from './site.js';

/** A server that requires a sign-in from pages of these origins, and its authorization server, at which a person fills in forms. */
async function protectedServer(
  ...allowedOrigins: readonly string[]
): Promise<{ readonly url: string; readonly authorization: AuthorizationServer }> {
  const authorization = await authorizationServer({ person: 'pages' });
  const origin = await listening((at): RequestListener => {
    const guard = guarded(`${at}/mcp`, authorization.issuer);
    const handler = httpHandler(server, { authenticate: guard.authenticate, allowedOrigins });
    onTestFinished(() => handler.close());
    return (request, response) => {
      if (!guard.nodeMetadata(request, response)) handler(request, response);
    };
  });
  return { url: `${origin}/mcp`, authorization };
}

/** Signs in and agrees, as ada. */
async function fillIn(page: Page): Promise<void> {
  await page.fill('input[name=login]', 'ada');
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.getByRole('button', { name: 'Continue' }).click();
}

inChromium('a page that signs in', (open) => {
  let scripts: Record<string, Uint8Array>;
  beforeAll(async () => {
    const [signIn, back] = await Promise.all([bundle('page/sign-in.ts'), bundle('page/back.ts')]);
    scripts = { 'sign-in.js': signIn, 'back.js': back };
  });

  it('does so in a popup, and calls the server', async () => {
    const { origin } = await site(scripts);
    const { url, authorization } = await protectedServer(origin);
    const page = await open(`${origin}/sign-in#how=popup&url=${url}`);
    const opening = page.waitForEvent('popup');
    await page.click('button');
    const popup = await opening;
    await popup.waitForSelector('input[name=login]');
    expect(await popup.evaluate(() => window.opener as unknown)).toBeNull();
    const closed = popup.waitForEvent('close');
    await fillIn(popup);
    await closed;
    await expect.poll(() => page.title()).toBe('ada mcp:tools');
    expect(await page.evaluate(() => globalThis.signIn.states)).toEqual([
      'signed-out',
      'discovering',
      'registering',
      'waiting-for-user',
      'exchanging',
      'authorized',
    ]);
    expect(authorization.asked.get('/token')).toBe(1);
    // No sign-in needs the popup of this click.
    const again = page.waitForEvent('popup');
    await page.click('button');
    const unused = await again;
    if (!unused.isClosed()) await unused.waitForEvent('close');
    expect(authorization.asked.get('/token')).toBe(1);
  });

  it('opens a WebSocket, with a ticket in place of the token', async () => {
    const { origin } = await site(scripts);
    const authorization = await authorizationServer({ person: 'pages' });
    const web = createServer();
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}`;
    const guard = guarded(`${at}/mcp`, authorization.issuer);
    const serving = await serveWebSocket(server, {
      server: web,
      authenticate: guard.authenticate,
      allowedOrigins: [origin],
    });
    web.on('request', (request, response) => void guard.nodeMetadata(request, response));
    onTestFinished(async () => {
      await serving.close();
      web.closeAllConnections();
      web.close();
    });
    const page = await open(`${origin}/sign-in#how=popup&url=${serving.url}`);
    const opening = page.waitForEvent('popup');
    await page.click('button');
    await fillIn(await opening);
    await expect.poll(() => page.title()).toBe('ada mcp:tools');
    expect(authorization.asked.get('/token')).toBe(1);
  });

  it('reports that its popup was closed, or did not come back', async () => {
    const { origin } = await site(scripts);
    const { url } = await protectedServer(origin);
    const page = await open(`${origin}/sign-in#how=popup&url=${url}`);
    const opening = page.waitForEvent('popup');
    await page.click('button');
    const popup = await opening;
    await popup.waitForSelector('input[name=login]');
    await popup.close();
    await expect
      .poll(() => page.title())
      .toContain('failed: the popup was closed before the sign-in ended. Sign in again');
    const late = await open(`${origin}/sign-in#how=popup&timeout=10&url=${url}`);
    await late.click('button');
    await expect.poll(() => late.title()).toContain('failed: the popup did not come back within 10 ms');
  });

  /** A page that has left for the authorization server, and has called the server after it came back. */
  async function cameBack() {
    const { origin } = await site(scripts);
    const { url, authorization } = await protectedServer(origin);
    const from = `${origin}/sign-in#how=window&url=${url}`;
    const page = await open(from);
    await page.click('button');
    await page.waitForSelector('input[name=login]');
    await fillIn(page);
    await page.waitForURL((to) => to.searchParams.has('code'));
    await page.click('button');
    await expect.poll(() => page.title()).toBe('ada mcp:tools');
    return { page, from, url, authorization };
  }

  it('leaves for the authorization server, comes back to where it was, and calls the server', async () => {
    const { page, from, url, authorization } = await cameBack();
    expect(page.url()).toBe(from);
    expect(await page.evaluate(() => globalThis.signIn.kept())).toContain(`rxmcp-auth ${url}`);
    expect(authorization.asked.get('/token')).toBe(1);
    expect(authorization.asked.get('/reg')).toBe(1);
    await page.reload();
    await page.click('button');
    await expect.poll(() => page.title()).toBe('ada mcp:tools');
    expect(authorization.asked.get('/token')).toBe(1);
  });

  it('leaves for more scopes, and has them when it comes back with a token that is still valid', async () => {
    const { page, from, authorization } = await cameBack();
    await page.evaluate(() => globalThis.signIn.more('mcp:write'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((to) => to.searchParams.has('code'));
    await page.click('button');
    await expect.poll(() => page.title()).toBe('ada mcp:tools mcp:write');
    expect(page.url()).toBe(from);
    expect(authorization.asked.get('/token')).toBe(2);
  });

  it('takes no answer that it did not ask for, and leaves instead', async () => {
    const { origin } = await site(scripts);
    const { url, authorization } = await protectedServer(origin);
    const page = await open(`${origin}/sign-in?code=x&state=forged#how=window&url=${url}`);
    await page.click('button');
    await page.waitForSelector('input[name=login]');
    expect(authorization.asked.get('/token')).toBeUndefined();
  });

  it('is not sent back and forth by a server that always requires more', async () => {
    const { origin } = await site(scripts);
    const { issuer, asked } = await authorizationServer();
    const at = await listening((own) => (request, response) => {
      const scope = 'error="insufficient_scope", scope="mcp:write"';
      const { authorization } = request.headers;
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', 'authorization, *');
      response.setHeader('access-control-expose-headers', '*');
      if (request.method === 'OPTIONS') response.writeHead(204).end();
      else if (request.method === 'GET')
        response.end(JSON.stringify({ resource: `${own}/mcp`, authorization_servers: [issuer] }));
      else if (authorization === undefined)
        response.writeHead(401, { 'www-authenticate': 'Bearer scope="mcp:tools"' }).end();
      else response.writeHead(403, { 'www-authenticate': `Bearer ${scope}` }).end();
    });
    const page = await open(`${origin}/sign-in#how=window&goes-on&url=${at}/mcp`);
    const shown = page.waitForEvent('console', (message) => message.text().startsWith('REDIRECT_FAILED'));
    await page.click('button');
    expect((await shown).text()).toContain('the page was left 3 times in a minute for this sign-in');
    expect(asked.get('/token')).toBe(3);
  });
});

inChromium('the browser of a program', (open) => {
  it('signs in and comes back to 127.0.0.1', async () => {
    const { url, authorization } = await protectedServer();
    const shown: Promise<string>[] = [];
    const auth = oauth({
      redirect: loopbackRedirect({
        // The client may have signed in before the page at the end has loaded.
        open({ href }) {
          const text = open(href).then(async (page) => {
            await fillIn(page);
            return page.innerText('p');
          });
          shown.push(text);
          return text;
        },
      }),
    });
    const remote = await defineClient({ info: { name: 'desk', version: '1.0.0' } }).connect(
      http(url, { auth }),
    );
    onTestFinished(() => remote.close());
    expect((await once(tools(remote).call('whoami'))).content).toEqual([
      { type: 'text', text: 'ada mcp:tools' },
    ]);
    expect(await Promise.all(shown)).toEqual(['You can close this page now.']);
    expect(authorization.asked.get('/token')).toBe(1);
  });
});
