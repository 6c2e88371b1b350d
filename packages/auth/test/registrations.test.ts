import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { type Auth, AuthError, memoryStore, oauth, type OAuthOptions } from '../src/index.js';
import { fileStore } from '../src/node.js';
import { ask, authorizationServer, protectedResource } from './protected-resource.js';
import { causeOf } from './signed-in.js';

const redirectUri = 'http://127.0.0.1:8976/callback';

/** A person who signs in, and always comes back to the same address: only then can a registration be used again. */
function person(comesBack: () => boolean = () => true): {
  opened: number;
  signIn(options?: OAuthOptions): Auth;
} {
  const made = {
    opened: 0,
    signIn: (options: OAuthOptions = {}): Auth =>
      oauth({
        redirect: {
          start: () => ({
            redirectUri,
            async open(url) {
              made.opened += 1;
              if (!comesBack()) throw new AuthError('REDIRECT_FAILED', 'the browser did not come back');
              return (await browse(url, redirectUri)) as URL;
            },
          }),
        },
        ...options,
      }),
  };
  return made;
}

it('two servers of one authorization server share a registration, and not their tokens', async () => {
  const { issuer, asked } = await authorizationServer();
  const [one, other] = [await protectedResource(issuer), await protectedResource(issuer)];
  const { opened, signIn } = person();
  expect(opened).toBe(0);
  const store = memoryStore();
  expect(await ask(signIn({ store }), one.url)).toBe(200);
  expect(await ask(signIn({ store }), other.url)).toBe(200);
  expect([asked.get('/reg'), asked.get('/token')]).toEqual([1, 2]);
  expect(one.tokens.at(-1)).not.toBe(other.tokens.at(-1));
});

it('a server that moves to another authorization server and back is registered at each once', async () => {
  const [first, second] = [await authorizationServer(), await authorizationServer()];
  const resource = await protectedResource(first.issuer);
  const issuerOf = (token: string): string =>
    (JSON.parse(atob(token.split('.')[1] ?? '')) as { iss: string }).iss;
  resource.verdict = (token) => [issuerOf(token) === resource.issuer ? 200 : 401];
  const { signIn } = person();
  const auth = signIn();
  for (const { issuer } of [first, second, first, second]) {
    resource.issuer = issuer;
    expect(await ask(auth, resource.url)).toBe(200);
    expect(issuerOf(resource.tokens.at(-1) ?? '')).toBe(issuer);
  }
  expect([first, second].map(({ asked }) => asked.get('/reg'))).toEqual([1, 1]);
});

it.each([
  ['which the token endpoint says', 'invalid_client'],
  ['which only the person sees', undefined],
])('a registration that the authorization server has forgotten is made anew, %s', async (_how, error) => {
  const { issuer, asked, broken } = await authorizationServer();
  const resource = await protectedResource(issuer);
  let isKnown = true;
  const made = person(() => isKnown);
  const auth = made.signIn();
  expect(await ask(auth, resource.url)).toBe(200);
  resource.verdict = (token) => [token === resource.tokens[0] ? 401 : 200];
  broken.set('/token', { status: 401, body: { error: error ?? 'invalid_grant' } });
  isKnown = error !== undefined;
  expect(await causeOf(ask(auth, resource.url))).toMatchObject({
    code: error === undefined ? 'REDIRECT_FAILED' : 'TOKEN_FAILED',
  });
  broken.clear();
  isKnown = true;
  await auth.signIn(resource.url, { again: true });
  expect(asked.get('/reg')).toBe(error === undefined ? 2 : 3);
});

it('a file of an earlier version is used, with the registration and the tokens in it', async () => {
  const { issuer, asked } = await authorizationServer();
  const resource = await protectedResource(issuer);
  const store = memoryStore();
  const made = person();
  expect(await ask(made.signIn({ store }), resource.url)).toBe(200);
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-auth-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'tokens.json');
  // It had one entry for each server, and none for the client.
  const entries = { [resource.url]: store.get(resource.url) };
  await writeFile(path, JSON.stringify({ version: 1, entries }), { mode: 0o600 });
  const auth = made.signIn({ store: fileStore(path) });
  expect(await ask(auth, resource.url)).toBe(200);
  resource.verdict = (token) => [token === resource.tokens[0] ? 401 : 200];
  expect(await ask(auth, resource.url)).toBe(200);
  expect([made.opened, asked.get('/reg'), asked.get('/token')]).toEqual([1, 1, 2]);
});
