import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../src/index.js';
import { refusal, resource, type Settings, standIn } from './stand-in-server.js';

describe('the address of a sign-in', () => {
  const parametersOf = ({ searchParams }: URL): Record<string, string> => Object.fromEntries(searchParams);

  it('has the client, the challenge of the verifier, the resource and the scopes', async () => {
    const { auth, opened, sent } = standIn({ scopes: ['read', 'write'] });
    await auth.signIn(resource);
    const [url] = opened;
    expect(url?.origin).toBe('https://login.example.com');
    expect(parametersOf(url as URL)).toEqual({
      response_type: 'code',
      client_id: 'registered',
      redirect_uri: 'http://127.0.0.1:1/callback',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      resource,
      scope: 'read write',
    });
    const [{ form } = { form: {} as Record<string, string> }] = sent('/token');
    expect(form).toEqual({
      grant_type: 'authorization_code',
      client_id: 'registered',
      code: 'code',
      redirect_uri: 'http://127.0.0.1:1/callback',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/) as string,
      resource,
    });
    const verifier = new TextEncoder().encode(form['code_verifier']);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', verifier));
    expect(Buffer.from(digest).toString('base64url')).toBe(url?.searchParams.get('code_challenge'));
  });

  it('keeps what the endpoint has, except the parameters of the sign-in', async () => {
    const authorization_endpoint = 'https://login.example.com/authorize?tenant=a&client_id=b&client_id=c';
    const { auth, opened } = standIn({ metadata: { authorization_endpoint } });
    await auth.signIn(resource);
    expect(opened[0]?.searchParams.get('tenant')).toBe('a');
    expect(opened[0]?.searchParams.getAll('client_id')).toEqual(['registered']);
  });

  it.each<[string, Settings, string, string | null]>([
    ['those of the challenge', { scopes: ['a'] }, 'scope="b c"', 'b c'],
    ['those of the resource', { scopes: ['a', 'b'] }, '', 'a b'],
    ['no scopes where none are named', {}, '', null],
    ['those of the options', { scopes: ['a'], options: { scopes: ['b'] } }, '', 'b'],
    ['those of options and challenge', { options: { scopes: ['a', 'b'] } }, 'scope="b c"', 'a b c'],
    [
      'offline_access where it is listed',
      { metadata: { scopes_supported: ['offline_access'] } },
      '',
      'offline_access',
    ],
    [
      'offline_access once',
      { metadata: { scopes_supported: ['offline_access'] }, scopes: ['offline_access', 'a'] },
      '',
      'offline_access a',
    ],
    ['no offline_access where it is not', { metadata: { scopes_supported: ['a'] }, scopes: ['b'] }, '', 'b'],
  ])('asks for the scopes: %s', async (_, settings, challenge, scope) => {
    const { ask, opened } = standIn(settings);
    expect(await ask(401, challenge)).toBe(200);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.searchParams.get('scope')).toBe(scope);
    const isOffline = scope?.includes('offline_access') === true;
    expect(opened[0]?.searchParams.get('prompt')).toBe(isOffline ? 'consent' : null);
  });
});

describe('a refresh', () => {
  it('names the resource, and keeps the refresh token and the scopes where there are no new ones', async () => {
    const { auth, ask, sent, opened } = standIn({
      scopes: ['read'],
      responses: {
        '/token': [
          { access_token: 'a', token_type: 'bearer', refresh_token: 'r' },
          { access_token: 'b', token_type: 'bearer' },
          { access_token: 'c', token_type: 'bearer', refresh_token: 's', scope: 'read more' },
          { access_token: 'd', token_type: 'bearer' },
        ],
      },
    });
    const states: unknown[] = [];
    auth.status$(resource).subscribe((status) => states.push(status));
    await auth.signIn(resource);
    for (let times = 0; times < 3; times += 1) expect(await ask(401, '')).toBe(200);
    const refreshes = sent('/token').slice(1);
    expect(refreshes.map(({ form }) => form['refresh_token'])).toEqual(['r', 'r', 's']);
    for (const { form } of refreshes)
      expect(form).toMatchObject({ grant_type: 'refresh_token', client_id: 'registered', resource });
    expect(states.filter((status) => (status as { state: string }).state === 'authorized')).toEqual([
      { state: 'authorized', scopes: ['read'] },
      { state: 'authorized', scopes: ['read'] },
      { state: 'authorized', scopes: ['read', 'more'] },
      { state: 'authorized', scopes: ['read', 'more'] },
    ]);
    expect(opened).toHaveLength(1);
  });
});

describe('a token that ends soon', () => {
  const request = { method: 'POST', url: resource };
  const bearer = { access_token: 'a', token_type: 'Bearer', expires_in: 3_600 };

  async function late(first: object, seconds: number) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const made = standIn({ responses: { '/token': [first, { ...bearer, access_token: 'b' }] } });
    await made.auth.signIn(resource);
    vi.advanceTimersByTime(seconds * 1_000);
    return { ...made, headers: await made.auth.headers(request) };
  }

  it.each([
    [3_569, 'a', 1],
    [3_571, 'b', 2],
    [7_200, 'b', 2],
  ])('is refreshed 30 s before that: after %i s', async (seconds, token, requests) => {
    const { headers, sent, opened } = await late({ ...bearer, refresh_token: 'r' }, seconds);
    expect(headers).toEqual({ authorization: `Bearer ${token}` });
    expect([sent('/token').length, opened.length]).toEqual([requests, 1]);
  });

  it.each([3_571, 7_200])(
    'has no person asked before the server asks for another one, without a refresh token: after %i s',
    async (seconds) => {
      const { headers, opened, ask, sent } = await late(bearer, seconds);
      expect([headers, opened.length, sent('/token').length]).toEqual([{ authorization: 'Bearer a' }, 1, 1]);
      expect(await ask(401, '')).toBe(200);
      expect(opened).toHaveLength(2);
    },
  );

  it('is used where it cannot be refreshed before it ends, and not afterwards', async () => {
    const broken = new Response('', { status: 500 });
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { auth, sent } = standIn({ responses: { '/token': [{ ...bearer, refresh_token: 'r' }, broken] } });
    await auth.signIn(resource);
    vi.advanceTimersByTime(3_580_000);
    expect(await auth.headers(request)).toEqual({ authorization: 'Bearer a' });
    expect(sent('/token')).toHaveLength(2);
    vi.advanceTimersByTime(30_000);
    await expect(auth.headers(request)).rejects.toMatchObject({ code: 'TOKEN_FAILED' });
  });
});

describe('signing out', () => {
  const tokens = (settings: Settings) => standIn({ options: { store: memoryStore() }, ...settings });

  it('revokes the refresh token first', async () => {
    const { auth, sent } = tokens({});
    await auth.signIn(resource);
    await auth.signOut(resource);
    expect(sent('/revoke').map(({ form }) => form['token'])).toEqual(['refresh', 'token']);
    await auth.signOut(resource);
    expect(sent('/revoke')).toHaveLength(2);
  });

  it.each([
    ['an access token', [{}, refusal('unsupported_token_type')], true],
    ['a refresh token', [refusal('unsupported_token_type'), {}], false],
    ['one for another reason', [{}, refusal('invalid_client', 401)], false],
  ])('succeeds where %s cannot be revoked: %s', async (_, responses, succeeds) => {
    const { auth, sent } = tokens({ responses: { '/revoke': responses } });
    await auth.signIn(resource);
    const signedOut = auth.signOut(resource);
    if (succeeds) await signedOut;
    else
      await expect(signedOut).rejects.toMatchObject({
        code: 'TOKEN_FAILED',
        message: expect.stringContaining('"https://login.example.com" did not revoke the tokens') as string,
      });
    expect(sent('/revoke')).toHaveLength(2);
    expect(await auth.headers({ method: 'POST', url: resource })).toEqual({});
  });

  it('revokes nothing where the authorization server cannot', async () => {
    const { auth, sent } = tokens({ metadata: { revocation_endpoint: undefined } });
    await auth.signIn(resource);
    await auth.signOut(resource);
    expect(sent('/revoke')).toEqual([]);
  });
});
