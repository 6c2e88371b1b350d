import { describe, expect, it } from 'vitest';
import { discover } from '../src/client/discover.js';
import { GuardedFetch } from '../src/client/requests.js';

const url = new URL('https://mcp.example.com/mcp');

function discovered(
  pages: Readonly<Record<string, object>>,
  resourceMetadata?: string,
): ReturnType<typeof discover> {
  const fetch = (address: string): Promise<Response> => {
    const page = pages[address];
    return Promise.resolve(page === undefined ? new Response('', { status: 404 }) : Response.json(page));
  };
  return discover(
    url,
    resourceMetadata === undefined ? {} : { resourceMetadata },
    new GuardedFetch(fetch, url),
  );
}

const originMetadata = 'https://mcp.example.com/.well-known/oauth-authorization-server';

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
    ['https://mcp.example.com/mc', `${wellKnown}/mc`],
  ])('may not be %j in the metadata at %s', async (resource, address) => {
    await expect(named(resource, address)).rejects.toMatchObject({ code: 'RESOURCE_MISMATCH' });
  });
});
