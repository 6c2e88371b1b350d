import { describe, expect, it } from 'vitest';
import { discover } from '../src/client/discover.js';
import { GuardedFetch } from '../src/client/requests.js';

const url = new URL('https://mcp.example.com/mcp');

function discovered(pages: Readonly<Record<string, object>>): ReturnType<typeof discover> {
  const fetch = (address: string): Promise<Response> => {
    const page = pages[address];
    return Promise.resolve(page === undefined ? new Response('', { status: 404 }) : Response.json(page));
  };
  return discover(url, {}, new GuardedFetch(fetch, url));
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
