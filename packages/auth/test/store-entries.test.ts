import { describe, expect, it } from 'vitest';
import { type AuthStore, memoryStore, webStore } from '../src/index.js';
import { issuer, resource, standIn } from './stand-in-server.js';

const request = { method: 'POST', url: resource };

async function entryOf(store: AuthStore, key = resource): Promise<Record<string, unknown>> {
  return JSON.parse((await store.get(key)) ?? 'null') as Record<string, unknown>;
}

describe('what a store keeps', () => {
  it('is the tokens of a server with their issuer, and the client at the issuer', async () => {
    const store = memoryStore();
    const { auth } = standIn({ options: { store } });
    await auth.signIn(resource);
    expect(await entryOf(store)).toMatchObject({
      schema: 1,
      issuer,
      registration: { client_id: 'registered' },
      tokens: { accessToken: 'token', refreshToken: 'refresh' },
    });
    expect(await entryOf(store, `client ${issuer}`)).toEqual({
      schema: 1,
      registration: { client_id: 'registered', redirect_uris: ['http://127.0.0.1:1/callback'] },
    });
    expect(await standIn({ options: { store } }).auth.headers(request)).toEqual({
      authorization: 'Bearer token',
    });
  });

  it.each([
    ['is of a later version', (text: string) => text.replace('"schema":1', '"schema":2')],
    ['has no version', (text: string) => text.replace('"schema":1,', '')],
    ['is broken', (text: string) => text.slice(1)],
    ['is no object', () => '7'],
  ])('is not used where it %s', async (_, change) => {
    const store = memoryStore();
    await standIn({ options: { store } }).auth.signIn(resource);
    const keys = [resource, `client ${issuer}`];
    for (const key of keys) await store.set(key, change((await store.get(key)) ?? ''));
    const { auth, sent, opened } = standIn({ options: { store } });
    expect(await auth.headers(request)).toEqual({});
    await auth.signIn(resource);
    expect([sent('/register').length, opened.length]).toEqual([1, 1]);
  });

  it('is read again after the store has failed', async () => {
    const store = memoryStore();
    await standIn({ options: { store } }).auth.signIn(resource);
    let isBroken = true;
    const get = (key: string): unknown => {
      if (isBroken) throw new Error('too many open files');
      return store.get(key);
    };
    const { auth } = standIn({ options: { store: { ...store, get } as AuthStore } });
    await expect(auth.headers(request)).rejects.toMatchObject({ name: 'AuthError', code: 'STORE_FAILED' });
    isBroken = false;
    expect(await auth.headers(request)).toEqual({ authorization: 'Bearer token' });
  });

  it('has no tokens that are bound to a key, which is in memory only', async () => {
    const store = memoryStore();
    const responses = { '/token': [{ access_token: 'token', token_type: 'DPoP' }] };
    const { auth } = standIn({ responses, options: { store, dpop: true } });
    await auth.signIn(resource);
    expect(await entryOf(store)).not.toHaveProperty('tokens');
    expect(await auth.headers(request)).toMatchObject({ authorization: 'DPoP token' });
    const other = standIn({ responses, options: { store, dpop: true } });
    expect(await other.auth.headers(request)).toEqual({});
    await auth.signOut(resource);
    expect(await auth.headers(request)).toEqual({});
  });

  it('is what another program has renewed, which the status shows', async () => {
    const store = memoryStore();
    const [one, other] = [standIn({ options: { store } }), standIn({ options: { store } })];
    await one.auth.signIn(resource);
    await other.auth.headers(request);
    const text = (await store.get(resource)) ?? '';
    await store.set(
      resource,
      text
        .replace('"accessToken":"token"', '"accessToken":"new"')
        .replace('"scopes":[]', '"scopes":["more"]'),
    );
    expect(await other.ask(401, '')).toBe(200);
    expect(other.sent('/token')).toEqual([]);
    expect(await other.auth.headers(request)).toEqual({ authorization: 'Bearer new' });
    const states: unknown[] = [];
    other.auth.status$(resource).subscribe((status) => states.push(status));
    expect(states).toMatchObject([{ state: 'authorized', scopes: ['more'] }]);
  });

  it('of a browser has a prefix, and is removed', async () => {
    const items = new Map<string, string>();
    const store = webStore({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, text) => void items.set(key, text),
      removeItem: (key) => void items.delete(key),
    });
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', '1');
    expect([...items]).toEqual([['rxmcp-auth a', '1']]);
    expect(await store.get('a')).toBe('1');
    await store.set('a', undefined);
    expect(items.size).toBe(0);
  });
});

describe('a sign-in to a server', () => {
  it('is the same for its WebSocket, and with another query', async () => {
    const { auth, opened } = standIn();
    await auth.signIn(resource);
    for (const url of ['wss://mcp.example.com/mcp', `${resource}?a=b`, 'WSS://mcp.example.com/mcp#c'])
      expect(await auth.headers({ method: 'GET', url }), url).toEqual({ authorization: 'Bearer token' });
    for (const url of ['https://mcp.example.com/other', 'https://mcp.example.com:8443/mcp'])
      expect(await auth.headers({ method: 'GET', url }), url).toEqual({});
    expect(await auth.headers({ method: 'POST', url: 'https://x.example/', server: resource })).toEqual({
      authorization: 'Bearer token',
    });
    expect(opened).toHaveLength(1);
  });

  it('is not repeated without a need, but where the program requires it', async () => {
    const { auth, opened, sent } = standIn();
    for (const options of [{}, {}, { scopes: [] }]) await auth.signIn(resource, options);
    expect([opened.length, sent('/register').length]).toEqual([1, 1]);
    await auth.signIn(resource, { again: true });
    expect([opened.length, sent('/register').length]).toEqual([2, 1]);
  });
});
