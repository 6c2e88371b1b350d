import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tester } from '../../../vitest.oidc.js';
import { inOwnProcess } from '../../../vitest.process.js';
import { type AuthStore, memoryStore, oauth } from '../src/index.js';
import { fileStore, loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource } from './protected-resource.js';
import { causeOf, expire, signedIn } from './signed-in.js';

describe('a token that has ended', () => {
  it('is renewed once for 100 requests, each time with the refresh token of the time before', async () => {
    const made = await signedIn();
    for (let times = 1; times <= 3; times += 1) {
      expire(made);
      const statuses = await Promise.all(
        Array.from({ length: 100 }, () => ask(made.auth, made.resource.url)),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(made.asked('/token')).toBe(1 + times);
    }
    expect(made.opened).toHaveLength(1);
  });

  it('is not renewed for each request where it is valid for less than the time that others are renewed before', async () => {
    const { issuer, asked } = await authorizationServer({ accessTokenSeconds: 20 });
    const { url } = await protectedResource(issuer);
    const auth = oauth({ grant: { type: 'client-credentials' }, clients: [{ ...tester, issuer }] });
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let times = 0; times < 3; times += 1) expect(await ask(auth, url)).toBe(200);
    expect(asked.get('/token')).toBe(1);
    vi.advanceTimersByTime(11_000);
    expect(await ask(auth, url)).toBe(200);
    expect(asked.get('/token')).toBe(2);
  });

  it('is renewed once by two processes that share a file store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rxmcp-auth-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'tokens.json');
    const made = await signedIn({ store: fileStore(path) });
    const [old] = made.resource.tokens;
    let refused = 0;
    let release: (() => void) | undefined;
    const areBothRefused = new Promise<void>((resolve) => (release = resolve));
    made.resource.verdict = async (token) => {
      if (token !== old) return [200];
      refused += 1;
      if (refused === 2) release?.();
      await areBothRefused;
      return [401];
    };
    const program = new URL('fixtures/ask-once.ts', import.meta.url);
    const once = () => inOwnProcess<{ status: number; token: string }>(program, made.resource.url, path);
    const [one, other] = await Promise.all([once(), once()]);
    expect(one).toMatchObject({ status: 200 });
    expect(other).toEqual(one);
    expect(made.asked('/token')).toBe(2);
    expect(await readdir(folder)).toEqual(['tokens.json']);
  });

  it.each([500, 503, 429])('does not end a sign-in where the token endpoint answers %i', async (status) => {
    const made = await signedIn();
    expire(made);
    made.server.broken.set('/token', status);
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'TOKEN_FAILED' });
    made.server.broken.clear();
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.opened).toHaveLength(1);
  });

  it('does not end a sign-in where the network fails', async () => {
    let isDown = false;
    const made = await signedIn({
      fetch: (url, init) => fetch(isDown ? 'http://127.0.0.1:1' : url, init),
    });
    expire(made);
    isDown = true;
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'TOKEN_FAILED' });
    isDown = false;
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.opened).toHaveLength(1);
  });

  it('leads to one sign-in where the refresh is refused', async () => {
    const store = memoryStore();
    const made = await signedIn({ store });
    const kept = JSON.parse((await store.get(made.resource.url)) ?? '') as {
      registration: { client_id: string };
      tokens: { refreshToken: string };
    };
    await fetch(`${made.server.issuer}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({
        token: kept.tokens.refreshToken,
        client_id: kept.registration.client_id,
      }),
    });
    expire(made);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => ask(made.auth, made.resource.url)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(made.opened).toHaveLength(2);
  });

  it('leads to one rediscovery where the refreshed token is rejected too', async () => {
    const made = await signedIn();
    const next = await authorizationServer();
    made.resource.issuer = next.issuer;
    const isOfNext = (token: string): boolean =>
      (JSON.parse(atob(token.split('.')[1] ?? '')) as { iss: string }).iss === next.issuer;
    made.resource.verdict = (token) => [isOfNext(token) ? 200 : 401];
    expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.asked('/token')).toBe(2);
    expect(next.asked.get('/reg')).toBe(1);
    expect(next.asked.get('/token')).toBe(1);
    expect(made.opened).toHaveLength(2);
  });

  it('does not ask the user again where the server rejects what is new', async () => {
    const made = await signedIn();
    made.resource.verdict = () => [401];
    for (let times = 0; times < 3; times += 1)
      expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'TOKEN_REJECTED' });
    // The first token was good at first: it was refreshed, and then there was one sign-in.
    expect(made.opened).toHaveLength(2);
  });
});

describe('signing out', () => {
  it('revokes both tokens', async () => {
    const made = await signedIn();
    await made.auth.signOut(made.resource.url);
    expect(made.asked('/token/revocation')).toBe(2);
  });

  it('is not undone by a request that is refused meanwhile', async () => {
    const memory = memoryStore();
    let release = (): void => undefined;
    let isWriting = false;
    let isSlow = false;
    const store: AuthStore = {
      get: (key) => memory.get(key),
      async set(key, text) {
        if (isSlow) {
          isWriting = true;
          await new Promise<void>((resolve) => (release = resolve));
        }
        await memory.set(key, text);
      },
    };
    const { auth, resource } = await signedIn({ store });
    const request = { method: 'POST', url: resource.url };
    const sent = await auth.headers(request);
    isSlow = true;
    const left = auth.signOut(resource.url);
    await expect.poll(() => isWriting).toBe(true);
    isSlow = false;
    const refused = auth.challenged(request, { status: 401, headers: new Headers(), sent, attempt: 1 });
    // A refresh that has begun would take tokens at once; one that waits continues once they are removed.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    release();
    await left;
    await refused;
    expect(await auth.headers(request)).toEqual({});
  });

  it('is not undone by a refresh of another program that shares the store', async () => {
    const store = memoryStore();
    const made = await signedIn({ store });
    let isAsked = false;
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const other = oauth({
      store,
      redirect: loopbackRedirect({ open: () => undefined }),
      async fetch(url, init) {
        const response = await fetch(url, init);
        isAsked = true;
        await isReleased;
        return response;
      },
    });
    const request = { method: 'POST', url: made.resource.url };
    const sent = await other.headers(request);
    const renewed = other.challenged(request, { status: 401, headers: new Headers(), sent, attempt: 1 });
    await expect.poll(() => isAsked).toBe(true);
    await made.auth.signOut(made.resource.url);
    release();
    await renewed;
    expect(await other.headers(request)).toEqual({});
    const states: string[] = [];
    other.status$(made.resource.url).subscribe(({ state }) => states.push(state));
    expect(states).toEqual(['signed-out']);
    expect(JSON.parse((await store.get(made.resource.url)) ?? '{}')).not.toHaveProperty('tokens');
  });

  it('forgets the tokens and rejects where they are not revoked', async () => {
    const made = await signedIn();
    made.server.broken.set('/token/revocation', 503);
    await expect(made.auth.signOut(made.resource.url)).rejects.toMatchObject({ code: 'TOKEN_FAILED' });
    expect(made.asked('/token/revocation')).toBe(2);
    expect(await made.auth.headers({ method: 'POST', url: made.resource.url })).toEqual({});
  });
});

describe('an authorization server', () => {
  it('whose address for the sign-in is longer than 8 KiB is refused before a person is asked', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    resource.challenge = `scope="${'x'.repeat(8_192)}"`;
    let opened = 0;
    const auth = oauth({ redirect: loopbackRedirect({ open: () => (opened += 1), timeoutMs: 10 }) });
    const error = await causeOf(ask(auth, resource.url));
    expect(error).toMatchObject({ code: 'REDIRECT_FAILED' });
    expect(error?.message).toMatch(/an address of 8\d+ bytes/);
    expect(opened).toBe(0);
  });

  it('that a server names gets no secret of a client that belongs to another, and no assertion that is denied it', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    const clients = [{ ...tester, issuer: 'https://login.example.com' }];
    const one = oauth({ grant: { type: 'client-credentials' }, clients });
    expect(await causeOf(ask(one, resource.url))).toMatchObject({ code: 'CLIENT_UNKNOWN' });
    const seen: unknown[] = [];
    const assertion = (audience: object): string => {
      seen.push(audience);
      throw new Error('not for this issuer');
    };
    const other = oauth({ grant: { type: 'workload-identity', assertion }, clients: [tester] });
    expect(await causeOf(ask(other, resource.url))).toMatchObject({
      code: 'TOKEN_FAILED',
      cause: { message: 'not for this issuer' },
    });
    expect(seen).toEqual([{ issuer: server.issuer, resource: resource.url }]);
    expect(server.asked.get('/token')).toBeUndefined();
  });

  it('that does not say that it supports PKCE is refused before a person is asked', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    let opened = 0;
    const auth = oauth({
      redirect: loopbackRedirect({ open: () => (opened += 1) }),
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (!url.startsWith(`${server.issuer}/.well-known/`) || !response.ok) return response;
        const { code_challenge_methods_supported: _, ...rest } = (await response.json()) as object & {
          code_challenge_methods_supported: unknown;
        };
        return Response.json(rest);
      },
    });
    const error = await causeOf(ask(auth, resource.url));
    expect(error).toMatchObject({ code: 'DISCOVERY_FAILED' });
    expect(error?.message).toContain('code_challenge_methods_supported');
    expect(opened).toBe(0);
  });
});
