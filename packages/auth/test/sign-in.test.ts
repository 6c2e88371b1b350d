import { connect } from 'node:net';
import { inspect } from 'node:util';
import { defineClient, once, type Remote } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { tools } from '@rxmcp/tools';
import type { Observable } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Auth,
  AuthError,
  type AuthStatus,
  memoryStore,
  oauth,
  type OAuthOptions,
} from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import { type OfficialServer, officialServer } from './official-server.js';

/** Stands in for a person with a browser, which follows redirects. */
const browser = async (url: URL): Promise<void> => void (await (await fetch(url)).text());

function signIn(options: OAuthOptions = {}): Auth {
  return oauth({ redirect: loopbackRedirect({ open: (url) => void browser(url) }), ...options });
}

async function connected(server: OfficialServer, auth: Auth): Promise<Remote> {
  const client = defineClient({ info: { name: 'test', version: '1.0.0' }, eras: ['legacy'] });
  const remote = await client.connect(http(server.url, { auth }));
  onTestFinished(() => remote.close());
  return remote;
}

const hello = async (remote: Remote): Promise<unknown> =>
  (await once(tools(remote).call('hello'))).content[0];

describe('a client of a server of the official SDK', () => {
  it('signs in when the server asks for it, and states what it does', async () => {
    const server = await officialServer();
    const auth = signIn();
    const seen: AuthStatus[] = [];
    const subscription = auth.status$(server.url).subscribe((status) => seen.push(status));
    const remote = await connected(server, auth);
    expect(await hello(remote)).toEqual({ type: 'text', text: 'hello mcp:tools' });
    expect(seen.map(({ state }) => state)).toEqual([
      'signed-out',
      'discovering',
      'registering',
      'waiting-for-user',
      'exchanging',
      'authorized',
    ]);
    expect(seen.at(-1)).toMatchObject({ scopes: ['mcp:tools'], expiresAt: expect.any(Number) as number });
    subscription.unsubscribe();
    const late: AuthStatus[] = [];
    auth
      .status$(server.url)
      .subscribe((status) => late.push(status))
      .unsubscribe();
    expect(late.map(({ state }) => state)).toEqual(['authorized']);
  });

  it('has no token in what the streams of a remote and of the sign-in show', async () => {
    const server = await officialServer();
    const auth = signIn();
    const remote = await connected(server, auth);
    const seen: unknown[] = [];
    for (const shown$ of [remote.wire$, remote.faults$, remote.status$, auth.status$(server.url)])
      (shown$ as Observable<unknown>).subscribe((one) => seen.push(one));
    await hello(remote);
    const text = inspect(seen, { depth: 20 });
    expect(text).toContain('hello');
    for (const token of server.tokens.keys()) expect(text).not.toContain(token);
  });

  it('signs in once for 100 requests that are refused at the same time', async () => {
    const server = await officialServer();
    const remote = await connected(server, signIn());
    server.tokens.clear();
    const before = server.asked.get('/token');
    await Promise.all(Array.from({ length: 100 }, () => hello(remote)));
    expect(before).toBe(1);
    expect(server.asked.get('/token')).toBe(2);
  });

  it('goes on with a sign-in that others wait for where one call is aborted', async () => {
    const server = await officialServer();
    let opened: ((url: URL) => void) | undefined;
    const address = new Promise<URL>((resolve) => (opened = resolve));
    const auth = signIn({ redirect: loopbackRedirect({ open: (url) => opened?.(url) }) });
    const leaving = new AbortController();
    const client = defineClient({ info: { name: 'test', version: '1.0.0' }, eras: ['legacy'] });
    const left = client.connect(http(server.url, { auth }), { signal: leaving.signal });
    const url = await address;
    const waits = auth.signIn(server.url);
    expect(auth.isWaiting()).toBe(true);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await browser(url);
    await waits;
    expect(auth.isWaiting()).toBe(false);
    expect(server.asked.get('/token')).toBe(1);
  });

  it('waits for a person who is asked first, and then only at this server', async () => {
    const server = await officialServer();
    let isAsked = false;
    let answer = (): void => undefined;
    const auth = signIn({
      redirect: {
        async start(name) {
          isAsked = true;
          await new Promise<void>((resolve) => (answer = resolve));
          return loopbackRedirect({ open: (url) => void browser(url) }).start(name);
        },
      },
    });
    const signedIn = auth.signIn(server.url);
    await expect.poll(() => isAsked).toBe(true);
    expect([server.url, 'https://other.example/mcp'].map((url) => auth.isWaiting(url))).toEqual([
      true,
      false,
    ]);
    answer();
    await signedIn;
    expect(auth.isWaiting()).toBe(false);
  });

  it.each(['connects', 'calls'])('pauses its time limits while a person signs in: %s', async (when) => {
    const server = await officialServer();
    let opened: ((url: URL) => void) | undefined;
    const open = (url: URL): void => opened?.(url);
    const auth = signIn({ redirect: loopbackRedirect({ open, timeoutMs: 900_000 }) });
    if (when === 'calls') opened = (url) => void browser(url);
    const early = when === 'calls' ? await connected(server, auth) : undefined;
    server.tokens.clear();
    const address = new Promise<URL>((resolve) => (opened = resolve));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const remote = early ?? connected(server, auth);
    const called = Promise.resolve(remote).then(hello);
    called.catch(() => undefined);
    const url = await address;
    await vi.advanceTimersByTimeAsync(600_000);
    vi.useRealTimers();
    await browser(url);
    expect(await called).toEqual({ type: 'text', text: 'hello mcp:tools' });
  });

  it('uses what its store has, and forgets it when it signs out', async () => {
    const server = await officialServer();
    const store = memoryStore();
    await signIn({ store }).signIn(server.url);
    const auth = signIn({ store });
    expect(await hello(await connected(server, auth))).toEqual({ type: 'text', text: 'hello mcp:tools' });
    expect(server.asked.get('/token')).toBe(1);
    await auth.signOut(server.url);
    expect(server.asked.get('/revoke')).toBeUndefined();
    await signIn({ store }).signIn(server.url);
    expect(server.asked.get('/token')).toBe(2);
    // The registration was kept; another port needs another one.
    expect(server.asked.get('/register')).toBe(2);
  });

  it('gets an error that names the step where the person does not come back', async () => {
    const server = await officialServer();
    const auth = signIn({ redirect: loopbackRedirect({ open: () => undefined, timeoutMs: 10 }) });
    const error: unknown = await connected(server, auth).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('10 ms') as string,
    });
    expect(AuthError.causeOf(error)).toMatchObject({ code: 'REDIRECT_FAILED' });
    expect(JSON.stringify(error)).not.toContain('code_challenge');
  });

  it('gets that error in time where what opens the browser does not end', async () => {
    const server = await officialServer();
    const open = (): Promise<void> => new Promise(() => undefined);
    const auth = signIn({ redirect: loopbackRedirect({ open, timeoutMs: 10 }) });
    await expect(auth.signIn(server.url)).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  });

  it.each([
    ['?error=access_denied&state=', 'ACCESS_DENIED'],
    ['?state=', 'REDIRECT_FAILED'],
    ['?code=x&code=y&state=', 'REDIRECT_FAILED'],
    ['?code=x&iss=https://elsewhere.test&state=', 'REDIRECT_FAILED'],
    ['?error=x&iss=https://elsewhere.test&state=', 'REDIRECT_FAILED'],
  ])('refuses a response that is not its own: %s', async (query, code) => {
    const server = await officialServer();
    const forged = (url: URL): Promise<void> => {
      const back = url.searchParams.get('redirect_uri') ?? '';
      const state = query.endsWith('state=') ? (url.searchParams.get('state') ?? '') : '';
      return browser(new URL(back + query + state));
    };
    const auth = signIn({ redirect: loopbackRedirect({ open: (url) => void forged(url) }) });
    await expect(auth.signIn(server.url)).rejects.toMatchObject({ code });
    expect(server.asked.get('/token')).toBeUndefined();
  });

  it('takes no response with another state, or none, for its own, and takes its own once', async () => {
    const server = await officialServer();
    const statuses: number[] = [];
    const forged = async (url: URL): Promise<void> => {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      for (const query of ['?code=x&state=wrong', '?code=x', '?error=access_denied', ''])
        statuses.push((await fetch(back.href + query)).status);
      const connection = connect(Number(back.port), '127.0.0.1');
      connection.on('error', () => undefined);
      connection.end('GET //[ HTTP/1.1\r\nHost: [\r\n\r\n');
      await new Promise((resolve) => connection.on('close', resolve).resume());
      await browser(url);
    };
    await signIn({ redirect: loopbackRedirect({ open: (url) => void forged(url) }) }).signIn(server.url);
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect(server.asked.get('/token')).toBe(1);
  });

  it('takes a response whose code has a question mark', async () => {
    const server = await officialServer();
    const answer = ({ searchParams }: URL): Promise<void> => {
      const query = `?code=a?b&state=${searchParams.get('state')}`;
      return browser(new URL((searchParams.get('redirect_uri') ?? '') + query));
    };
    const codes: unknown[] = [];
    const auth = signIn({
      redirect: loopbackRedirect({ open: (url) => void answer(url) }),
      fetch(url, init) {
        if (init.body instanceof URLSearchParams) codes.push(init.body.get('code'));
        return fetch(url, init);
      },
    });
    await expect(auth.signIn(server.url)).rejects.toMatchObject({ code: 'TOKEN_FAILED' });
    expect(codes).toEqual(['a?b']);
  });

  it('has no code, state or token in what a log shows of an error', async () => {
    const server = await officialServer();
    const forged = (url: URL): Promise<void> => {
      const { searchParams } = url;
      const query = `?code=the-code&iss=https://x.test&state=${searchParams.get('state')}`;
      return browser(new URL((searchParams.get('redirect_uri') ?? '') + query));
    };
    const auth = signIn({ redirect: loopbackRedirect({ open: (url) => void forged(url) }) });
    const error: unknown = await auth.signIn(server.url).catch((cause: unknown) => cause);
    expect(inspect(error, { depth: 20 })).not.toContain('the-code');
  });

  it('stops where the server does not accept the token that it was just given', async () => {
    const server = await officialServer();
    server.tokens.set = () => server.tokens;
    const error: unknown = await connected(server, signIn()).catch((cause: unknown) => cause);
    expect(AuthError.causeOf(error)).toMatchObject({ code: 'TOKEN_REJECTED' });
    expect(server.asked.get('/token')).toBe(1);
  });

  it('says which option is unknown', () => {
    expect(() => oauth({ clientId: 'x' } as never)).toThrow('"clients"');
  });
});
