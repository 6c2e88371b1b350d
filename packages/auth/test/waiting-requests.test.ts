import { expect, it } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { oauth } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource } from './protected-resource.js';

it('a request that begins during the first sign-in waits for it, and has its token', async () => {
  const server = await authorizationServer();
  const { url, tokens } = await protectedResource(server.issuer);
  let opened: ((address: URL) => void) | undefined;
  const address = new Promise<URL>((resolve) => (opened = resolve));
  const auth = oauth({ redirect: loopbackRedirect({ open: (to) => opened?.(to) }) });
  const first = ask(auth, url);
  const login = await address;
  let isReady = false;
  const headers = auth.headers({ method: 'POST', url });
  void Promise.resolve(headers).then(() => (isReady = true));
  const second = ask(auth, url);
  await new Promise((resolve) => setImmediate(resolve));
  expect([isReady, tokens]).toEqual([false, []]);
  await browse(login);
  expect(await Promise.all([first, second])).toEqual([200, 200]);
  expect(await headers).toEqual({ authorization: `Bearer ${tokens[0] ?? ''}` });
  expect(server.asked.get('/token')).toBe(1);
});
