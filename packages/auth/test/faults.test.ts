import { inspect } from 'node:util';
import { expect, describe, it, onTestFinished, vi } from 'vitest';
import { browse, tester } from '../../../vitest.oidc.js';
import { type AuthError, memoryStore, oauth } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource } from './protected-resource.js';
import { causeOf, type SignedIn, signedIn } from './signed-in.js';

const wellKnown = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';

describe('metadata', () => {
  /** Signs in where the authorization server answers something else for its metadata. */
  async function discovered(body: (issuer: string) => string | object) {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    for (const path of [wellKnown, openid])
      server.broken.set(path, { status: 200, body: body(server.issuer) });
    const auth = oauth({ redirect: loopbackRedirect({ open: (url) => void browse(url) }) });
    return { server, resource, error: await causeOf(ask(auth, resource.url)) };
  }

  it('that is HTML is rejected', async () => {
    const { error, server } = await discovered(() => '<!doctype html><p>Sign in here');
    expect(error).toMatchObject({ code: 'DISCOVERY_FAILED' });
    expect(error?.message).toContain(`"${server.issuer}" has no metadata of an authorization server: check`);
  });

  it('that names another issuer is not used', async () => {
    const { error, server } = await discovered((issuer) => ({
      issuer: 'https://login.example.com',
      token_endpoint: `${issuer}/token`,
    }));
    expect(error).toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(error?.message).toContain(`"${server.issuer}" is that of "https://login.example.com"`);
    expect(server.asked.get('/reg')).toBeUndefined();
  });

  it('with an endpoint that is not https is not used', async () => {
    const { error } = await discovered((issuer) => ({ issuer, token_endpoint: 'http://example.com/token' }));
    expect(error).toMatchObject({ code: 'INSECURE_URL' });
  });

  it.each([
    'code_challenge_methods_supported',
    'grant_types_supported',
    'scopes_supported',
    'token_endpoint_auth_methods_supported',
  ])('whose %s is no list of texts is not used', async (name) => {
    for (const value of ['S256', 5, [5]]) {
      const { error } = await discovered((issuer) => ({
        issuer,
        token_endpoint: `${issuer}/token`,
        [name]: value,
      }));
      expect(error).toMatchObject({ code: 'DISCOVERY_FAILED' });
      expect(error?.message).toContain(`has no list of texts in "${name}"`);
    }
  });

  it('that names another resource is not used', async () => {
    const server = await authorizationServer();
    const { url, ...rest } = await protectedResource(server.issuer);
    const other = await protectedResource(server.issuer);
    expect(rest.issuer).toBe(server.issuer);
    const auth = oauth({
      redirect: loopbackRedirect({ open: (page) => void browse(page) }),
      // The metadata of one server, served by another.
      fetch: (target, init) => fetch(target.replace(new URL(url).origin, new URL(other.url).origin), init),
    });
    const error = await causeOf(ask(auth, url));
    expect(error).toMatchObject({ code: 'RESOURCE_MISMATCH' });
    expect(error?.message).toContain(other.url);
    expect(server.asked.get('/token')).toBeUndefined();
  });

  it.each([
    ['', (reject: () => void, signal: AbortSignal) => signal.addEventListener('abort', reject)],
    [', also where "fetch" ignores its signal', () => undefined],
  ])('that does not arrive in 15 s is an error%s', async (_where, follow) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const never = (_: string, { signal }: RequestInit): Promise<never> =>
      new Promise((_resolve, reject) => follow(() => reject(signal?.reason as Error), signal as AbortSignal));
    const signIn = oauth({ fetch: never }).signIn('https://mcp.example.com/mcp');
    const failed = expect(signIn).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: expect.stringContaining('https://mcp.example.com did not answer as expected') as string,
      cause: { message: 'no response within 15000 ms' },
    });
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  });
});

describe('a token endpoint', () => {
  const token = { access_token: 'a-token', token_type: 'Bearer' };

  it.each([
    ['429 and a time in seconds', 429, '120', 120_000],
    ['503 and a date', 503, new Date(Date.now() + 7_200_000).toUTCString(), 3_600_000],
    ['429 and nothing', 429, undefined, undefined],
    ['429 and nonsense', 429, 'soon', undefined],
  ])('that answers with %s leads to an error with it', async (_, status, value, retryAfterMs) => {
    const made = await signedIn();
    const [old] = made.resource.tokens;
    made.resource.verdict = (one) => [one === old ? 401 : 200];
    made.server.broken.set('/token', {
      status,
      ...(value === undefined ? {} : { headers: { 'retry-after': value } }),
    });
    const error = await causeOf(ask(made.auth, made.resource.url));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED', retryable: retryAfterMs !== undefined });
    expect(error?.retryAfterMs).toBe(retryAfterMs);
    expect(error?.message).toContain(
      `"${made.server.issuer}" did not refresh the token: status ${String(status)}`,
    );
    expect(made.asked('/token')).toBe(2);
    expect(made.opened).toHaveLength(1);
  });

  it.each([
    ['another type of token', { ...token, token_type: 'mac' }],
    ['no token', { token_type: 'Bearer' }],
    ['an expiry that is no number', { ...token, expires_in: 'soon' }],
    ['a token that no header can have', { ...token, access_token: 'a-token\n' }],
    ['an empty token', { ...token, access_token: '' }],
    ['HTML', '<p>a-token'],
  ])('that answers with %s gives none, and the response is not shown', async (_, body) => {
    const { server, resource, auth } = await signedIn();
    server.broken.set('/token', { status: 200, body });
    await auth.signOut(resource.url);
    const error = await auth.signIn(resource.url).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'TOKEN_FAILED' });
    expect(String((error as Error).stack)).not.toContain('a-token');
    expect(await auth.headers({ method: 'POST', url: resource.url })).toEqual({});
  });

  it('that states no expiry gives a token that is used until it is rejected', async () => {
    const { server, resource, auth } = await signedIn();
    await auth.signOut(resource.url);
    server.broken.set('/token', { status: 200, body: token });
    await auth.signIn(resource.url);
    const seen: unknown[] = [];
    auth.status$(resource.url).subscribe((status) => seen.push(status));
    expect(seen).toEqual([{ state: 'authorized', scopes: expect.any(Array) as unknown }]);
    expect(await ask(auth, resource.url)).toBe(200);
    expect(resource.tokens.at(-1)).toBe('a-token');
  });

  it('that states an expiry beyond all times gives a token that is not renewed, also from a store', async () => {
    const store = memoryStore();
    const { server, resource, auth, asked } = await signedIn({ store });
    await auth.signOut(resource.url);
    const response = JSON.stringify({ ...token, refresh_token: 'r', expires_in: 0 }).replace(':0', ':1e999');
    server.broken.set('/token', { status: 200, body: response });
    await auth.signIn(resource.url);
    expect(await ask(oauth({ store }), resource.url)).toBe(200);
    expect(resource.tokens.at(-1)).toBe('a-token');
    expect(asked('/token')).toBe(2);
  });

  it('that gives an unbound token gives none where the program wants one that is bound to a key', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    server.broken.set('/token', { status: 200, body: token });
    const clients = [{ ...tester, issuer: server.issuer }];
    const auth = oauth({ dpop: true, grant: { type: 'client-credentials' }, clients });
    const error = await causeOf(ask(auth, resource.url));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED' });
    expect(error?.message).toContain('the token is not bound to a key, which the option "dpop" requires');
  });

  it('whose description repeats a secret, or has signs that a terminal acts on, is shown without them', async () => {
    const { server, resource, auth } = await signedIn();
    await auth.signOut(resource.url);
    const description = `\u001b[31mno "grant" for the code ${'x1'.repeat(20)} of mcp-client ${'long '.repeat(500)}`;
    server.broken.set('/token', {
      status: 400,
      body: { error: 'invalid_grant', error_description: description },
    });
    const error = await causeOf(auth.signIn(resource.url));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED' });
    expect(error?.message).toContain(
      String.raw`"invalid_grant:  [31mno \"grant\" for the code … of mcp-client long long`,
    );
    expect(error?.message.length).toBeLessThan(400);
    expect(inspect(error, { depth: 20 })).not.toContain('x1x1');
  });

  it('whose description repeats the request is shown without its secrets, however short', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    const secret = 'correct.horse/9 ä';
    const form = new URLSearchParams({ client_secret: secret }).toString();
    const description = `wrong: ${form}, or ${secret}`;
    server.broken.set('/token', {
      status: 400,
      body: { error: 'invalid_request', error_description: description },
    });
    const clients = [{ id: 'tester', secret, issuer: server.issuer }];
    const auth = oauth({ grant: { type: 'client-credentials' }, clients });
    const error = await causeOf(ask(auth, resource.url));
    expect(error?.message).toContain('"invalid_request: wrong: client_secret=…, or …"');
    expect(inspect(error, { depth: 20 })).not.toContain('horse');
  });

  it('that refuses a code once more leads to an error, not to another sign-in', async () => {
    const made = await signedIn();
    await made.auth.signOut(made.resource.url);
    made.server.broken.set('/token', { status: 400, body: { error: 'invalid_grant' } });
    const error = await causeOf(ask(made.auth, made.resource.url));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED' });
    expect(error?.message).toContain('did not exchange the code: "invalid_grant"');
    expect(made.opened).toHaveLength(2);
  });

  it('that refuses to refresh leads to one sign-in, and that to an error where it fails', async () => {
    const made = await signedIn();
    made.resource.verdict = () => [401];
    made.server.broken.set('/token', { status: 400, body: { error: 'invalid_grant' } });
    made.agrees = false;
    expect(await causeOf(ask(made.auth, made.resource.url))).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(made.asked('/token')).toBe(2);
    expect(made.opened).toHaveLength(2);
  });
});

describe('a clock', () => {
  it.each([10, -10])('that is set by %i minutes costs one refresh at most', async (minutes) => {
    const made = await signedIn({ store: memoryStore() });
    const [first] = made.resource.tokens;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (let times = 0; times < 3; times += 1) expect(await ask(made.auth, made.resource.url)).toBe(200);
    // The server says when the token has ended, whatever the clock here says.
    made.resource.verdict = (token) => [token === first ? 401 : 200];
    for (let times = 0; times < 3; times += 1) expect(await ask(made.auth, made.resource.url)).toBe(200);
    expect(made.asked('/token')).toBe(2);
    expect(made.opened).toHaveLength(1);
  });
});

describe('a response of the authorization server', () => {
  it('without the "iss" that its metadata promises is refused', async () => {
    const server = await authorizationServer();
    const resource = await protectedResource(server.issuer);
    const open = async ({ searchParams }: URL): Promise<void> => {
      const back = `${String(searchParams.get('redirect_uri'))}?code=x&state=${String(searchParams.get('state'))}`;
      await (await fetch(back)).text();
    };
    const auth = oauth({ redirect: loopbackRedirect({ open: (url) => void open(url) }) });
    expect(await causeOf(ask(auth, resource.url))).toMatchObject({ code: 'REDIRECT_FAILED' });
    expect(server.asked.get('/token')).toBeUndefined();
  });
});

describe('an error', () => {
  const remedy =
    /(?:Sign in again|check its address|check the address|its operator must|use https:|pass "redirect"|Try again|call signIn|Check the)/;

  const again = ({ auth, resource }: SignedIn) => causeOf(auth.signIn(resource.url, { again: true }));
  const late = () => oauth({ redirect: loopbackRedirect({ open: () => undefined, timeoutMs: 1 }) });
  const broken = (
    made: SignedIn,
    path: string,
    body: number | ((issuer: string) => object),
  ): Promise<AuthError | undefined> => {
    for (const one of path === wellKnown ? [wellKnown, openid] : [path])
      made.server.broken.set(
        one,
        typeof body === 'number' ? body : { status: 200, body: body(made.server.issuer) },
      );
    return again(made);
  };
  const rejected = ({ auth, resource }: SignedIn): Promise<AuthError | undefined> => {
    resource.verdict = () => [401];
    return causeOf(ask(auth, resource.url));
  };

  it.each<[string, (made: SignedIn) => Promise<AuthError | undefined>]>([
    ['ACCESS_DENIED', (made) => again(Object.assign(made, { agrees: false }))],
    ['CLIENT_UNKNOWN', ({ resource }) => causeOf(oauth().signIn(resource.url))],
    ['DISCOVERY_FAILED', (made) => broken(made, wellKnown, 404)],
    [
      'INSECURE_URL',
      (made) => broken(made, wellKnown, (issuer) => ({ issuer, token_endpoint: 'http://a.b/' })),
    ],
    ['ISSUER_MISMATCH', (made) => broken(made, wellKnown, () => ({ issuer: 'https://a.example' }))],
    ['TOKEN_FAILED', (made) => broken(made, '/token', 500)],
    ['TOKEN_FAILED', (made) => broken(made, '/token', 400)],
    ['REDIRECT_FAILED', ({ resource }) => causeOf(late().signIn(resource.url))],
    ['TOKEN_REJECTED', (made) => rejected(made)],
  ])('%s names an origin and what to do', async (code, fail) => {
    const error = await fail(await signedIn());
    expect(error).toMatchObject({ code });
    expect(error?.message).toMatch(/https?:\/\/[\w.]+/);
    expect(error?.message).toMatch(remedy);
  });
});
