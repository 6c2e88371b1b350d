import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { jwt, type JwtOptions } from '../src/server.js';
import { listening } from './protected-resource.js';

const audience = 'https://mcp.example/mcp';

/** What a token says; `null` is a token without an end. */
interface Claims {
  readonly iss?: string;
  readonly aud?: string | string[];
  readonly exp?: string | null;
  readonly nbf?: string;
}

/** An issuer that answers at some paths only. */
async function issuer(pathname: string, pages: (issuer: string) => Readonly<Record<string, object>>) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' }] };
  const asked: string[] = [];
  let responses: Readonly<Record<string, object>> = {};
  const url = await listening(() => ({ url: path = '' }, response) => {
    asked.push(path);
    const page = path === '/keys' ? keys : responses[path];
    response.writeHead(page === undefined ? 404 : 200).end(JSON.stringify(page ?? {}));
  });
  const name = new URL(url).origin + pathname;
  responses = pages(name);
  const sign = ({ exp, nbf, ...claims }: Claims): Promise<string> => {
    const token = new SignJWT({ iss: name, aud: audience, sub: 'ada', ...claims });
    token.setProtectedHeader({ alg: 'ES256', kid: 'a' });
    if (exp !== null) token.setExpirationTime(exp ?? '1m');
    if (nbf !== undefined) token.setNotBefore(nbf);
    return token.sign(privateKey);
  };
  const check = async (options: Partial<JwtOptions> = {}, claims: Claims = {}) =>
    jwt({ issuer: name, ...options })(await sign(claims), audience);
  return { name, asked, check, keys: `${new URL(url).origin}/keys` };
}

describe('the keys of an issuer', () => {
  it.each([
    ['', '/.well-known/oauth-authorization-server', 1],
    ['/', '/.well-known/oauth-authorization-server', 1],
    ['', '/.well-known/openid-configuration', 2],
    ['/tenant', '/.well-known/oauth-authorization-server/tenant', 1],
    ['/tenant', '/.well-known/openid-configuration/tenant', 2],
    ['/tenant', '/tenant/.well-known/openid-configuration', 3],
  ])('with the path "%s" are those that its metadata names at %s', async (pathname, place, tries) => {
    const { check, asked } = await issuer(pathname, (name) => ({
      [place]: { issuer: name, jwks_uri: `${new URL(name).origin}/keys` },
    }));
    expect(await check()).toMatchObject({ sub: 'ada' });
    expect(asked).toHaveLength(tries + 1);
    expect(asked.slice(-2)).toEqual([place, '/keys']);
  });

  it.each<[string, (name: string) => object, string]>([
    [
      'of another issuer',
      (name) => ({ issuer: 'https://other.example', jwks_uri: `${name}/keys` }),
      'no metadata names them',
    ],
    ['without keys', (name) => ({ issuer: name }), 'no metadata names them'],
    [
      'with an address that others could answer for',
      (name) => ({ issuer: name, jwks_uri: 'http://keys.example/' }),
      '"jwks_uri" is http://keys.example',
    ],
  ])('are not found by metadata %s', async (_, metadata, why) => {
    const { check, name } = await issuer('', (own) => ({
      '/.well-known/oauth-authorization-server': metadata(own),
    }));
    await expect(check()).rejects.toThrow(why);
    if (why.startsWith('no')) await expect(check()).rejects.toThrow(`finding the keys of "${name}" failed`);
  });

  it('at the address of the options are fetched without metadata', async () => {
    const { check, asked, keys } = await issuer('', () => ({}));
    expect(await check({ jwksUri: keys })).toMatchObject({ sub: 'ada' });
    expect(asked).toEqual(['/keys']);
  });
});

describe('a JWT', () => {
  it.each<[string, Claims, Partial<JwtOptions>, boolean]>([
    ['for one of several audiences', { aud: ['https://a.example', audience] }, {}, true],
    ['for others', { aud: ['https://a.example'] }, {}, false],
    ['for the audience of the options', { aud: 'api' }, { audience: 'api' }, true],
    ['for the resource, where the options name another audience', {}, { audience: 'api' }, false],
    ['of another issuer', { iss: 'https://a.example' }, {}, false],
    ['without an end', { exp: null }, {}, false],
    ['that ended within the tolerance', { exp: '-20s' }, {}, true],
    ['that ended before', { exp: '-2m' }, {}, false],
    ['that ended within the tolerance of the options', { exp: '-2m' }, { clockToleranceSeconds: 300 }, true],
    ['that is not valid yet', { nbf: '5m' }, {}, false],
    ['signed with another algorithm than the options name', {}, { algorithms: ['RS256'] }, false],
    ['signed with one of the options', {}, { algorithms: ['RS256', 'ES256'] }, true],
  ])('%s', async (_, claims, options, isAccepted) => {
    const { check, keys } = await issuer('', () => ({}));
    expect((await check({ jwksUri: keys, ...options }, claims)) !== undefined).toBe(isAccepted);
  });
});
