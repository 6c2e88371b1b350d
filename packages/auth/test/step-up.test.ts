import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tester } from '../../../vitest.oidc.js';
import { memoryStore, oauth, type Redirect } from '../src/index.js';
import { fileStore, loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource, type ProtectedResource } from './protected-resource.js';
import { causeOf, signedIn } from './signed-in.js';

describe('a server that requires more scopes', () => {
  const needs = (...scopes: readonly string[]): ProtectedResource['verdict'] => {
    return (token) => {
      const { scope = '' } = JSON.parse(atob(token.split('.')[1] ?? '')) as { scope?: string };
      const missing = scopes.find((one) => !scope.split(' ').includes(one));
      return missing === undefined ? [200] : [403, `error="insufficient_scope", scope="${missing}"`];
    };
  };

  it('gets them together with those that there were', async () => {
    const made = await signedIn();
    made.resource.verdict = needs('mcp:write', 'mcp:admin');
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.opened.map((url) => url.searchParams.get('scope')?.replace(' offline_access', ''))).toEqual([
      'mcp:tools',
      'mcp:tools mcp:write',
      'mcp:tools mcp:write mcp:admin',
    ]);
  });

  it('gets them where the options name some for the beginning', async () => {
    const made = await signedIn({ scopes: ['mcp:tools'] });
    made.resource.verdict = needs('mcp:write');
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.opened).toHaveLength(2);
  });

  it.each(['401', '403'])(
    'does not choose the scopes of a grant whose options name them: %s',
    async (status) => {
      const server = await authorizationServer();
      const resource = await protectedResource(server.issuer);
      const scopes: (string | null)[] = [];
      const auth = oauth({
        grant: { type: 'client-credentials' },
        clients: [{ ...tester, issuer: server.issuer }],
        scopes: ['mcp:tools'],
        fetch(url, init) {
          if (url === `${server.issuer}/token`) scopes.push((init.body as URLSearchParams).get('scope'));
          return fetch(url, init);
        },
      });
      if (status === '401') resource.challenge = 'scope="mcp:admin"';
      else resource.verdict = needs('mcp:admin');
      const response = ask(auth, resource.url);
      if (status === '401') expect(await response).toBe(200);
      else expect(await causeOf(response)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
      expect(scopes).toEqual(['mcp:tools']);
    },
  );

  it('gets those that the program asks for, once, in addition to those that there were', async () => {
    const made = await signedIn();
    for (let times = 0; times < 2; times += 1)
      await made.auth.signIn(made.resource.url, { scopes: ['mcp:write'] });
    expect(made.opened.map((url) => url.searchParams.get('scope')?.replace(' offline_access', ''))).toEqual([
      'mcp:tools',
      'mcp:tools mcp:write',
    ]);
  });

  it('gets no scopes that the program asks for where the options of its grant do not name them', async () => {
    const { issuer } = await authorizationServer();
    const { url } = await protectedResource(issuer);
    const clients = [{ ...tester, issuer }];
    const auth = oauth({ grant: { type: 'client-credentials' }, clients, scopes: ['mcp:tools'] });
    await expect(auth.signIn(url, { scopes: ['mcp:admin'] })).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
  });

  it('keeps its token where the page comes back without what it was left for', async () => {
    const store = memoryStore();
    const { server, resource } = await signedIn({ store });
    let isBack = true;
    let left = 0;
    const begun = { state: 's', verifier: 'v'.repeat(43), registration: { client_id: 'page' } };
    const landed = new URL(`http://127.0.0.1/?error=access_denied&state=s&iss=${server.issuer}`);
    const redirect: Redirect = {
      isBack: () => isBack,
      start() {
        const resumed = isBack ? { landed, memo: JSON.stringify(begun) } : undefined;
        isBack = false;
        const open = (): Promise<never> => Promise.reject(new Error(`left ${String((left += 1))}`));
        return { redirectUri: 'http://127.0.0.1/', open, ...(resumed === undefined ? {} : { resumed }) };
      },
    };
    const auth = oauth({ redirect, store });
    const states: string[] = [];
    auth.status$(resource.url).subscribe(({ state }) => states.push(state));
    for (let times = 0; times < 2; times += 1) expect(await ask(auth, resource.url)).toBe(200);
    expect(states.at(-1)).toBe('failed');
    expect(left).toBe(0);
    expect(new Set(resource.tokens).size).toBe(1);
  });

  it('asks a person once for 100 requests', async () => {
    const made = await signedIn();
    made.resource.verdict = needs('mcp:write');
    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(made.auth, made.resource.url)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(made.opened).toHaveLength(2);
  });

  it('starts no second flow with a 403 that comes late', async () => {
    const made = await signedIn();
    const decide = needs('mcp:write');
    let release: (() => void) | undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    made.resource.verdict = async (token) => {
      if (isFirst) {
        isFirst = false;
        await isReleased;
      }
      return decide(token);
    };
    const late = ask(made.auth, made.resource.url);
    await expect.poll(() => isFirst).toBe(false);
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    release?.();
    expect(await late).toBe(200);
    expect(made.opened).toHaveLength(2);
  });

  it('keeps the token that there is while a person decides and where they decline; others do not wait', async () => {
    const store = memoryStore();
    const made = await signedIn({ store });
    const before = await store.get(made.resource.url);
    made.resource.verdict = needs('mcp:write');
    let decide: ((agrees: boolean) => void) | undefined;
    made.agrees = new Promise((resolve) => (decide = resolve));
    const declined = causeOf(ask(made.auth, made.resource.url));
    await expect.poll(() => made.auth.isWaiting(made.resource.url)).toBe(true);
    // Its limits of the time to connect go on.
    expect(made.auth.isWaiting('https://other.example/mcp')).toBe(false);
    expect(made.auth.isWaiting()).toBe(true);
    made.resource.verdict = () => [200];
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    decide?.(false);
    expect(await declined).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(new Set(made.resource.tokens).size).toBe(1);
    expect(await store.get(made.resource.url)).toEqual(before);
    // The client was registered anew for the address of the person; the tokens belong to the earlier one.
    made.resource.verdict = (token) => [token === made.resource.tokens[0] ? 401 : 200];
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.opened).toHaveLength(2);
  });

  it('asks a person once for two programs that share a file store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rxmcp-auth-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'tokens.json');
    const made = await signedIn({ store: fileStore(path) });
    const other = oauth({ redirect: loopbackRedirect({ open: () => undefined }), store: fileStore(path) });
    expect(await ask(other, made.resource.url)).toBe(200);
    let agree = (): void => undefined;
    made.agrees = new Promise((resolve) => (agree = () => resolve(true)));
    made.resource.verdict = needs('mcp:write');
    const one = ask(made.auth, made.resource.url);
    await expect.poll(() => made.opened.length).toBe(2);
    const two = ask(other, made.resource.url);
    agree();
    expect(await Promise.all([one, two])).toEqual([200, 200]);
    expect(made.opened).toHaveLength(2);
  });

  it('stops by count where it is never content', async () => {
    const made = await signedIn();
    made.resource.verdict = () => [403, 'error="insufficient_scope", scope="mcp:write"'];
    for (let times = 0; times < 3; times += 1)
      expect(await ask(made.auth, made.resource.url).catch(() => 403)).toBe(403);
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(made.opened).toHaveLength(4);
  });

  it('opens the browser ten times at most where it requires another one each time', async () => {
    const { auth, resource, opened } = await signedIn();
    let times = 0;
    resource.verdict = () => [403, `error="insufficient_scope", scope="mcp:${String((times += 1))}"`];
    for (let requests = 0; requests < 6; requests += 1) await ask(auth, resource.url).catch(() => 403);
    expect(await causeOf(ask(auth, resource.url))).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(opened).toHaveLength(1 + 10);
    await auth.signIn(resource.url);
    await ask(auth, resource.url).catch(() => 403);
    expect(opened.length).toBeGreaterThan(11);
  });
});
