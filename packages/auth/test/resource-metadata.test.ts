import { describe, expect, it, vi } from 'vitest';
import { resourceServer, type ResourceServerOptions } from '../src/server.js';

const issuer = 'https://issuer.example';

function guardOf(options: Partial<ResourceServerOptions> = {}) {
  return resourceServer({
    resource: 'https://mcp.example/mcp',
    authorizationServers: [issuer],
    verify: (token) => (token === 'none' ? undefined : { sub: 'ada', scope: token }),
    ...options,
  });
}

const ask = (options: Partial<ResourceServerOptions>, token?: string) =>
  guardOf(options).authenticate({
    method: 'POST',
    target: '/mcp',
    secure: true,
    headerValues: (name) => (name === 'authorization' && token !== undefined ? [`Bearer ${token}`] : []),
  });

describe('the metadata of a resource', () => {
  it.each([
    ['https://mcp.example/mcp', 'https://mcp.example/.well-known/oauth-protected-resource/mcp'],
    ['https://mcp.example/', 'https://mcp.example/.well-known/oauth-protected-resource'],
    ['https://mcp.example', 'https://mcp.example/.well-known/oauth-protected-resource'],
    ['https://mcp.example/a/b?c=d', 'https://mcp.example/.well-known/oauth-protected-resource/a/b'],
  ])('of %s is at %s', async (resource, metadataUrl) => {
    const guard = guardOf({ resource });
    expect(guard.metadataUrl).toBe(metadataUrl);
    for (const url of [metadataUrl, 'https://mcp.example/.well-known/oauth-protected-resource'])
      expect(await guard.metadata(new Request(url))?.json()).toMatchObject({ resource });
    expect(guard.metadata(new Request(`${metadataUrl}/more`))).toBeUndefined();
  });

  it('names scopes and proofs only where there are some', async () => {
    const metadataOf = async (options: Partial<ResourceServerOptions>): Promise<object> => {
      const guard = guardOf(options);
      return (await guard.metadata(new Request(guard.metadataUrl))?.json()) as object;
    };
    const plain = await metadataOf({});
    expect(plain).toEqual({
      resource: 'https://mcp.example/mcp',
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS512']) as string[],
    });
    expect(await metadataOf({ scopes: ['a'] })).toEqual({ ...plain, scopes_supported: ['a'] });
    expect(await metadataOf({ scopes: ['a'], scopesSupported: ['a', 'b'] })).toEqual({
      ...plain,
      scopes_supported: ['a', 'b'],
    });
    expect(await metadataOf({ dpop: { required: true } })).toEqual({
      ...plain,
      dpop_bound_access_tokens_required: true,
    });
  });

  it.each([
    ['GET', 200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' }],
    ['POST', 405, { 'access-control-allow-origin': '*', allow: 'GET, HEAD, OPTIONS' }],
    [
      'OPTIONS',
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'mcp-protocol-version',
      },
    ],
  ])('answers %s with %i, also in node:http', async (method, status, headers) => {
    const guard = guardOf();
    const response = guard.metadata(new Request(guard.metadataUrl, { method }));
    expect(response?.status).toBe(status);
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject(headers);
    const node = { writeHead: vi.fn(), end: vi.fn() };
    const next = vi.fn();
    const url = '/.well-known/oauth-protected-resource/mcp?x=1';
    expect(guard.nodeMetadata({ url, method }, node, next)).toBe(true);
    expect(node.writeHead.mock.calls).toEqual([[status, headers]]);
    const body = await response?.text();
    expect(node.end.mock.calls).toEqual([[body === '' ? undefined : body]]);
    expect(next).not.toHaveBeenCalled();
    expect(guard.nodeMetadata({ url: '/other', method }, node, next)).toBe(false);
    expect(guard.nodeMetadata({}, node)).toBe(false);
    expect(next).toHaveBeenCalledOnce();
  });
});

describe('a challenge', () => {
  const metadata = 'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"';

  it.each([
    [undefined, [], 401, `Bearer ${metadata}`],
    [undefined, ['a', 'b'], 401, `Bearer ${metadata}, scope="a b"`],
    ['none', ['a'], 401, `Bearer error="invalid_token", ${metadata}, scope="a"`],
    ['b', ['a', 'b'], 403, `Bearer error="insufficient_scope", ${metadata}, scope="a b"`],
    ['x'.repeat(16_385), [], 401, `Bearer error="invalid_token", ${metadata}`],
  ])('to a request is that of its problem (%#)', async (token, scopes, status, challenge) => {
    expect(await ask({ scopes }, token)).toMatchObject({ status, challenge });
  });

  it('is not sent where the token suffices', async () => {
    expect(await ask({ scopes: ['a', 'b'] }, 'x'.repeat(16_384))).toMatchObject({ status: 403 });
    expect(await ask({}, 'x'.repeat(16_384))).toMatchObject({ principal: 'ada' });
    expect(await ask({ scopes: ['a'] }, 'a')).toMatchObject({ principal: 'ada', scopes: ['a'] });
  });

  it('for an operation names the scopes of all requests first, each once', () => {
    const { challengeFor } = guardOf({ scopes: ['a', 'b'] }).authenticate;
    expect(challengeFor?.(['c', 'a'])).toBe(`Bearer error="insufficient_scope", ${metadata}, scope="a b c"`);
    expect(guardOf({ dpop: { required: true } }).authenticate.challengeFor?.(['c'])).toMatch(
      /^DPoP error="insufficient_scope", algs="/,
    );
  });
});

it.each<[string, Partial<ResourceServerOptions>]>([
  ['is not a URL without a fragment', { resource: 'mcp' }],
  ['is not a URL without a fragment', { resource: 'https://mcp.example/mcp#a' }],
  ['needs at least one issuer', { authorizationServers: [] }],
  ['did you mean "authorizationServers"', { issuer } as never],
])('rejects options: %s (%#)', (message, options) => {
  expect(() => guardOf(options)).toThrow(message);
});
