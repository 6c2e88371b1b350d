import { describe, expect, it } from 'vitest';
import { oauth } from '../src/index.js';
import { refusal, resource, type Settings, standIn } from './stand-in-server.js';

const loopback = 'http://127.0.0.1:1/callback';

describe('the registration of a client', () => {
  it.each<[string, Settings, object]>([
    ['that knows nothing', {}, {}],
    [
      'that shows people its name',
      { options: { clientMetadata: { client_name: 'desk', client_uri: 'https://desk.example' } } },
      { client_name: 'desk', client_uri: 'https://desk.example' },
    ],
    ['of a page', { redirectUri: 'https://app.example/callback' }, { application_type: 'web' }],
    [
      'of a page on this machine',
      { redirectUri: 'http://localhost:1/callback' },
      { application_type: 'native' },
    ],
    ['of an app', { redirectUri: 'com.example.app:/callback' }, { application_type: 'native' }],
    [
      'without refresh tokens',
      { metadata: { grant_types_supported: ['authorization_code'] } },
      { grant_types: ['authorization_code'] },
    ],
    ['with refresh tokens', { metadata: { grant_types_supported: ['refresh_token'] } }, {}],
    [
      'with the simplest way to authenticate that there is',
      { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] } },
      { token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'with the only way to authenticate',
      { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } },
      { token_endpoint_auth_method: 'client_secret_post' },
    ],
    [
      'with no way to authenticate where none of the known ones is supported',
      { metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
      { token_endpoint_auth_method: undefined },
    ],
  ])('%s says what it is', async (_, settings, more) => {
    const { auth, sent } = standIn(settings);
    await auth.signIn(resource);
    const [{ json, headers } = { json: undefined, headers: new Headers() }] = sent('/register');
    expect(json).toEqual({
      client_name: 'MCP client',
      redirect_uris: [settings.redirectUri ?? loopback],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      ...more,
    });
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each([
    ['another status', [refusal('nothing', 403)], '(403, "nothing")'],
    [
      'an error twice',
      [refusal('one'), Response.json({ error: 'two', error_description: 'why' }, { status: 400 })],
      '(400, "two: why")',
    ],
    ['a page', [new Response('<p>', { status: 500 })], '(500)'],
    ['no name of a client', [{ client_id: 7 }], '(200)'],
  ])('fails where the response is %s', async (_, responses, why) => {
    const { auth, opened } = standIn({ responses: { '/register': responses } });
    await expect(auth.signIn(resource)).rejects.toMatchObject({
      code: 'REGISTRATION_FAILED',
      message: `"https://login.example.com" did not register this client ${why}: register one there, and pass its id in "clients"`,
    });
    expect(opened).toEqual([]);
  });

  it.each([
    [
      new Response('', { status: 404 }),
      'DISCOVERY_FAILED',
      `${resource} has no OAuth metadata, so there is nothing to sign in to`,
    ],
    [
      refusal('invalid_redirect_uri'),
      'REGISTRATION_FAILED',
      '"https://mcp.example.com" did not register this client (400, "invalid_redirect_uri")',
    ],
  ])(
    'at a server without metadata is tried at its default endpoint (%#)',
    async (response, code, message) => {
      const asked: string[] = [];
      const auth = oauth({
        redirect: {
          start: () => ({ redirectUri: loopback, open: () => Promise.reject(new Error('opened')) }),
        },
        fetch(url) {
          asked.push(url);
          return Promise.resolve(
            url.endsWith('/register') ? response.clone() : new Response('', { status: 404 }),
          );
        },
      });
      await expect(auth.signIn(resource)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      });
      expect(asked.at(-1)).toBe('https://mcp.example.com/register');
    },
  );

  it('is not tried where there is no endpoint for it, and the error names the clients of others', async () => {
    const metadata = { registration_endpoint: undefined };
    await expect(standIn({ metadata }).auth.signIn(resource)).rejects.toMatchObject({
      code: 'CLIENT_UNKNOWN',
      message:
        '"https://login.example.com" registers no clients: register one there, and pass its id in "clients"',
    });
    const clients = ['https://a.example', 'https://b.example'].map((issuer) => ({ id: 'a', issuer }));
    await expect(standIn({ metadata, options: { clients } }).auth.signIn(resource)).rejects.toMatchObject({
      code: 'CLIENT_UNKNOWN',
      message: expect.stringContaining(
        'and the given ones are for "https://a.example", "https://b.example"',
      ) as string,
    });
  });
});

describe('a client with a secret', () => {
  const id = 'a client.1-2';
  const secret = 'a-b.c:d é';
  const basic = `Basic ${btoa('a%20client.1-2:a-b.c%3Ad%20%C3%A9')}`;

  it.each([
    ['in the header by default', undefined, undefined, 'header'],
    [
      'in the header where that is supported',
      undefined,
      ['client_secret_post', 'client_secret_basic'],
      'header',
    ],
    ['in the form where only that is supported', undefined, ['client_secret_post'], 'form'],
    ['in the form where it is registered so', 'client_secret_post', ['client_secret_basic'], 'form'],
    ['in the header where it is registered so', 'client_secret_basic', ['client_secret_post'], 'header'],
    ['nowhere where it is registered so', 'none', ['client_secret_basic'], 'nowhere'],
  ])('sends it %s', async (_, token_endpoint_auth_method, token_endpoint_auth_methods_supported, place) => {
    const { auth, sent } = standIn({
      metadata: { token_endpoint_auth_methods_supported },
      responses: { '/register': [{ client_id: id, client_secret: secret, token_endpoint_auth_method }] },
    });
    await auth.signIn(resource);
    const [{ form, headers } = { form: {} as Record<string, string>, headers: new Headers() }] =
      sent('/token');
    expect([headers.get('authorization'), form['client_id'], form['client_secret']]).toEqual(
      {
        header: [basic, undefined, undefined],
        form: [null, id, secret],
        nowhere: [null, id, undefined],
      }[place],
    );
  });

  it('of the options sends it to a token endpoint, too', async () => {
    const clients = [{ id, secret }];
    const { auth, sent } = standIn({ options: { clients, grant: { type: 'client-credentials' } } });
    await auth.signIn(resource);
    expect(sent('/register')).toEqual([]);
    expect(sent('/token').map(({ headers }) => headers.get('authorization'))).toEqual([basic]);
    expect(sent('/token')[0]?.form).toEqual({ grant_type: 'client_credentials', resource });
  });
});
