import { describe, expect, it } from 'vitest';
import { discover } from '../src/client/discover.js';
import { GuardedFetch } from '../src/client/requests.js';

const url = new URL('https://mcp.example.com/mcp');

function discovered(
  pages: Readonly<Record<string, object | string>>,
  resourceMetadata?: string,
  asked: string[] = [],
): ReturnType<typeof discover> {
  const fetch = (address: string): Promise<Response> => {
    asked.push(address);
    const page = pages[address];
    if (page === undefined) return Promise.resolve(new Response('', { status: 404 }));
    return Promise.resolve(typeof page === 'string' ? new Response(page) : Response.json(page));
  };
  return discover(
    url,
    resourceMetadata === undefined ? {} : { resourceMetadata },
    new GuardedFetch(fetch, url),
  );
}

const originMetadata = 'https://mcp.example.com/.well-known/oauth-authorization-server';

describe('metadata', () => {
  const origin = 'https://mcp.example.com';
  const named = `${origin}/metadata.json`;
  const login = 'https://login.example.com';

  it.each([
    ['where the challenge says', named, [named]],
    ['at the path of the server', undefined, [`${origin}/.well-known/oauth-protected-resource/mcp`]],
    [
      'at the root',
      undefined,
      [
        `${origin}/.well-known/oauth-protected-resource/mcp`,
        `${origin}/.well-known/oauth-protected-resource`,
      ],
    ],
  ])('of a resource is looked for %s', async (_, challenge, places) => {
    const asked: string[] = [];
    const pages = {
      [places.at(-1) ?? '']: { resource: url.href, authorization_servers: [login, 'https://other.example'] },
      [`${login}/.well-known/oauth-authorization-server`]: {
        issuer: login,
        token_endpoint: `${login}/token`,
      },
    };
    expect((await discovered(pages, challenge, asked)).server.issuer).toBe(login);
    expect(asked).toEqual([...places, `${login}/.well-known/oauth-authorization-server`]);
  });

  it('that is missing where the challenge says is not looked for elsewhere', async () => {
    const asked: string[] = [];
    await expect(discovered({}, named, asked)).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
    expect(asked).toEqual([named]);
    await expect(discovered({}, 'https://[', asked)).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
    expect(asked).toEqual([named]);
  });

  it.each([
    [login, ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
    [`${login}/`, ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
    [
      `${login}/tenant`,
      [
        '/.well-known/oauth-authorization-server/tenant',
        '/.well-known/openid-configuration/tenant',
        '/tenant/.well-known/openid-configuration',
      ],
    ],
  ])('of the authorization server %s is looked for at each of its places', async (issuer, paths) => {
    const places = paths.map((path) => login + path);
    for (const [at, place] of places.entries()) {
      const asked: string[] = [];
      const pages = {
        [named]: { resource: url.href, authorization_servers: [issuer], scopes_supported: ['a', 5] },
        [place]: { issuer, token_endpoint: `${login}/token` },
      };
      const found = await discovered(pages, named, asked);
      expect([found.server.issuer, found.scopes]).toEqual([issuer, ['a']]);
      expect(asked.slice(1)).toEqual(places.slice(0, at + 1));
    }
    const pages = { [named]: { resource: url.href, authorization_servers: [issuer] } };
    await expect(discovered(pages, named)).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
  });

  it.each(['/a b', '/\u001b[2J', '/\u202e', '\n', '/ä'])(
    'of an authorization server whose name has a sign that no URL has is not fetched: %j',
    async (sign) => {
      const asked: string[] = [];
      const pages = { [named]: { resource: url.href, authorization_servers: [login + sign] } };
      await expect(discovered(pages, named, asked)).rejects.toMatchObject({ code: 'INSECURE_URL' });
      expect(asked).toEqual([named]);
    },
  );

  it.each([[[]], [undefined], ['x'], [[5]]])(
    'that names the authorization servers %j is invalid',
    async (servers) => {
      const pages = { [named]: { resource: url.href, authorization_servers: servers } };
      await expect(discovered(pages, named)).rejects.toMatchObject({
        code: 'DISCOVERY_FAILED',
        message: expect.stringContaining('names no authorization server') as string,
      });
    },
  );

  const endpoints = [
    'authorization_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'token_endpoint',
  ];
  const unusable = ['https://10.0.0.1/x', 'https://db.default/x', 'https://ada:secret@login.example.com/x'];
  it.each(endpoints.flatMap((name) => unusable.map((address) => [name, address] as const)))(
    'whose %s is %s, in a private network or with credentials, is not used',
    async (name, address) => {
      const pages = {
        [named]: { resource: url.href, authorization_servers: [login] },
        [`${login}/.well-known/oauth-authorization-server`]: {
          issuer: login,
          token_endpoint: `${login}/token`,
          [name]: address,
        },
      };
      await expect(discovered(pages, named)).rejects.toMatchObject({ code: 'INSECURE_URL' });
    },
  );
});

describe('a server without metadata of its resource (2025-03-26)', () => {
  it('is its own authorization server, with default endpoints', async () => {
    const { resource, server } = await discovered({});
    expect(resource).toBe(url.href);
    expect(server).toMatchObject({
      issuer: 'https://mcp.example.com',
      token_endpoint: 'https://mcp.example.com/token',
      code_challenge_methods_supported: ['S256'],
    });
  });

  it.each(['https://mcp.example.com', 'https://mcp.example.com/'])('may call itself %s', async (issuer) => {
    expect((await discovered({ [originMetadata]: { issuer } })).server.issuer).toBe(issuer);
  });

  it('is itself where it names no issuer', async () => {
    const { server } = await discovered({ [originMetadata]: { issuer: null } });
    expect(server.issuer).toBe('https://mcp.example.com');
  });

  it('is rejected where its issuer is no text, however deep that is', async () => {
    const issuer = '['.repeat(100_000) + ']'.repeat(100_000);
    await expect(discovered({ [originMetadata]: `{"issuer":${issuer}}` })).rejects.toMatchObject({
      code: 'ISSUER_MISMATCH',
      message: expect.stringContaining('is that of "an object"') as string,
    });
  });

  it('gets no credentials of the authorization server that it claims to be', async () => {
    const issuer = 'https://honest.example.org';
    await expect(discovered({ [originMetadata]: { issuer } })).rejects.toMatchObject({
      code: 'ISSUER_MISMATCH',
    });
  });
});

describe('the resource that a server says it is', () => {
  const origin = 'https://mcp.example.com';
  const issuer = 'https://login.example.com';
  const named = (resource: string, address: string): ReturnType<typeof discover> =>
    discovered(
      {
        [address]: { resource, authorization_servers: [issuer] },
        [`${issuer}/.well-known/oauth-authorization-server`]: { issuer, token_endpoint: `${issuer}/token` },
      },
      address,
    );
  const elsewhere = `${origin}/mcp/metadata.json`;
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;

  it.each([
    [url.href, elsewhere],
    [url.href, `${wellKnown}/mcp`],
    [origin, wellKnown],
    [`${origin}/`, wellKnown],
    [origin, `${wellKnown}/mcp`],
    ['https://MCP.example.com:443/mcp', elsewhere],
  ])('may be %s in the metadata at %s', async (resource, address) => {
    expect((await named(resource, address)).resource).toBe(resource);
  });

  it.each([
    // Who has a folder of an origin must not get tokens for all of it.
    [origin, elsewhere],
    [`${origin}/`, elsewhere],
    [origin, `${wellKnown}/..%2f..%2fmcp`],
    [origin, 'https://other.example.com/.well-known/oauth-protected-resource'],
    [`${url.href}#a`, elsewhere],
    [`${url.href}#`, elsewhere],
    [`${url.href}?a=b`, elsewhere],
    ['https://ada@mcp.example.com/mcp', elsewhere],
    ['https://:secret@mcp.example.com/mcp', elsewhere],
    ['https://mcp.example.com\\mcp', elsewhere],
    ['https://mcp.exa\nmple.com/mcp', elsewhere],
    // An authorization server may go by the beginning, which is that of another.
    ['https://mcp.example.com/other/../mcp', elsewhere],
    ['https://mcp.example.com/./mcp', elsewhere],
    ['https://mcp.example.com/other/%2e%2E/mcp', elsewhere],
    ['https://mcp.example.com/mcp/.', `${wellKnown}/mcp`],
    [`${url.href}/\u202e`, elsewhere],
    ['https://mcp.example.com/mc', `${wellKnown}/mc`],
  ])('may not be %j in the metadata at %s', async (resource, address) => {
    await expect(named(resource, address)).rejects.toMatchObject({ code: 'RESOURCE_MISMATCH' });
  });
});
