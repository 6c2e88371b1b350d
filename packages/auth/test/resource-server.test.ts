import { defineClient, defineServer, once } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { httpHandler } from '@rxmcp/http/node';
import { fetchHandler } from '@rxmcp/http/fetch';
import { offerTools, tool, tools } from '@rxmcp/tools';
import express from 'express';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { browse, tester } from '../../../vitest.oidc.js';
import { oauth } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import {
  introspection,
  jwt,
  resourceServer,
  type ResourceServer,
  type TokenVerifier,
} from '../src/server.js';
import { authorizationServer, listening } from './protected-resource.js';

const whoami = tool('whoami', (_args, { caller }) => `${caller.principal} ${caller.scopes?.join(' ')}`);
const server = defineServer({ info: { name: 'test', version: '1.0.0' }, offers: [offerTools([whoami])] });

interface Protected {
  readonly url: string;
  readonly guard: ResourceServer;
  /** The status and the challenge of a request with this token. */
  ask(token?: string, query?: string): Promise<{ status: number; challenge: string | null }>;
}

async function protect(
  issuer: string,
  verify: TokenVerifier,
  scopes: readonly string[] = ['mcp:tools'],
  inExpress = false,
): Promise<Protected> {
  let guard: ResourceServer | undefined;
  const url = await listening((resource) => {
    const made = (guard = resourceServer({ resource, authorizationServers: [issuer], verify, scopes }));
    const handler = httpHandler(server, { authenticate: made.authenticate });
    onTestFinished(() => handler.close());
    if (inExpress) {
      const app = express();
      app.use(made.nodeMetadata);
      app.all('/mcp', handler);
      return app;
    }
    return (request, response) => {
      if (!made.nodeMetadata(request, response)) handler(request, response);
    };
  });
  const ask: Protected['ask'] = async (token, query = '') => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(url + query, { method: 'PUT', headers });
    await response.text();
    return { status: response.status, challenge: response.headers.get('www-authenticate') };
  };
  return { url, guard: guard as ResourceServer, ask };
}

/** The status of a PUT that the guard lets pass. */
const passed = 405;

describe('a server that is protected with the tokens of an authorization server', () => {
  it.each([
    ['legacy', false],
    ['modern', true],
  ] as const)('is signed in to in the %s era', async (era, inExpress) => {
    const { issuer } = await authorizationServer();
    const { url } = await protect(issuer, jwt({ issuer }), ['mcp:tools'], inExpress);
    const auth = oauth({ redirect: loopbackRedirect({ open: (page) => void browse(page) }) });
    const client = defineClient({ info: { name: 'test', version: '1.0.0' }, eras: [era] });
    const remote = await client.connect(http(url, { auth }));
    onTestFinished(() => remote.close());
    const { content } = await once(tools(remote).call('whoami'));
    expect(content).toEqual([{ type: 'text', text: 'ada mcp:tools' }]);
  });

  it('says where to sign in, and for which scopes', async () => {
    const { issuer } = await authorizationServer();
    const { url, ask, guard } = await protect(issuer, jwt({ issuer }));
    const root = new URL('/.well-known/oauth-protected-resource', url).href;
    expect(await ask()).toEqual({
      status: 401,
      challenge: `Bearer resource_metadata="${root}/mcp", scope="mcp:tools"`,
    });
    for (const place of [root, guard.metadataUrl]) {
      const response = await fetch(place, { headers: { origin: 'https://page.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['mcp:tools'],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'EdDSA']) as string[],
      });
    }
    expect((await fetch(root, { method: 'OPTIONS' })).status).toBe(204);
    expect((await fetch(root, { method: 'POST' })).status).toBe(405);
    expect((await fetch(root, { method: 'HEAD' })).status).toBe(200);
  });

  it('rejects a token with too few scopes and names all that are needed', async () => {
    const { issuer, token } = await authorizationServer();
    const { url, ask } = await protect(issuer, jwt({ issuer }), ['mcp:tools', 'mcp:write']);
    const refused = await ask(await token(url, 'mcp:tools'));
    expect(refused.status).toBe(403);
    expect(refused.challenge).toContain('error="insufficient_scope"');
    expect(refused.challenge).toContain('scope="mcp:tools mcp:write"');
    expect((await ask(await token(url, 'mcp:tools mcp:write'))).status).toBe(passed);
  });

  it('rejects a token for another audience, in the query, broken or too long', async () => {
    const { issuer, token } = await authorizationServer();
    const { url, ask } = await protect(issuer, jwt({ issuer }));
    const valid = await token(url, 'mcp:tools');
    expect((await ask(valid)).status).toBe(passed);
    expect(await ask(valid, `?access_token=${valid}`)).toMatchObject({ status: 400 });
    expect(await ask(await token('https://other.example/mcp', 'mcp:tools'))).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('error="invalid_token"') as string,
    });
    for (const broken of ['x', 'a.b.c', `${valid}x`]) expect((await ask(broken)).status, broken).toBe(401);
  });

  it('fetches keys once for a flood of unknown ones, and follows a rotation after the interval', async () => {
    const { issuer, asked, token, rotateKeys } = await authorizationServer();
    const { url, ask } = await protect(issuer, jwt({ issuer }));
    expect((await ask(await token(url, 'mcp:tools'))).status).toBe(passed);
    const { privateKey } = await generateKeyPair('ES256');
    for (let kid = 0; kid < 50; kid += 1) {
      const forged = new SignJWT({ sub: 'eve' }).setProtectedHeader({ alg: 'ES256', kid: String(kid) });
      const signed = forged.setIssuer(issuer).setAudience(url).setExpirationTime('1h').sign(privateKey);
      expect((await ask(await signed)).status).toBe(401);
    }
    expect(asked.get('/jwks')).toBe(1);
    const patient = await protect(issuer, jwt({ issuer, jwksIntervalMs: 0 }));
    expect((await patient.ask(await token(patient.url, 'mcp:tools'))).status).toBe(passed);
    rotateKeys();
    expect((await patient.ask(await token(patient.url, 'mcp:tools'))).status).toBe(passed);
    expect(asked.get('/jwks')).toBe(3);
  });

  it('rejects `alg: none`, an expired token and one that is bound to a key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const issuer = 'https://issuer.example';
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' }] };
    const jwks = await listening(() => (_, response) => void response.end(JSON.stringify(keys)));
    const { url, ask } = await protect(issuer, jwt({ issuer, jwksUri: jwks }));
    const claims = { sub: 'ada', scope: 'mcp:tools' };
    const signed = (expires: string, more = {}): Promise<string> =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'ES256', kid: 'a' })
        .setIssuer(issuer)
        .setAudience(url)
        .setExpirationTime(expires)
        .sign(privateKey);
    const none = new UnsecuredJWT(claims).setIssuer(issuer).setAudience(url).setExpirationTime('1h').encode();
    expect((await ask(await signed('1h'))).status).toBe(passed);
    expect((await ask(none)).status).toBe(401);
    expect((await ask(await signed('-10m'))).status).toBe(401);
    expect((await ask(await signed('1h', { cnf: { jkt: 'x' } }))).status).toBe(401);
    expect(() => jwt({ issuer, algorithms: ['HS256'] })).toThrow('"HS256" is not an asymmetric algorithm');
    expect(() => jwt({ issuer, algorithms: ['none'] })).toThrow('"none"');
  });

  it('rejects ID tokens, logout tokens and other types, and answers 503 while the key set is invalid', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const issuer = 'https://issuer.example';
    let keys: unknown = { keys: 'none' };
    const jwk = { ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' };
    const jwks = await listening(() => (_, response) => void response.end(JSON.stringify(keys)));
    const { url, ask } = await protect(issuer, jwt({ issuer, jwksUri: jwks, jwksIntervalMs: 0 }));
    const statusOf = async (header: object, more = {}): Promise<number> => {
      const claims = { sub: 'ada', scope: 'mcp:tools', iss: issuer, aud: url, ...more };
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'a', ...header });
      return (await ask(await token.setExpirationTime('1h').sign(privateKey))).status;
    };
    expect(await statusOf({})).toBe(503);
    // A private key, which no server should publish.
    keys = { keys: [{ ...jwk, d: 'AA' }] };
    expect(await statusOf({})).toBe(503);
    keys = { keys: [jwk] };
    for (const typ of [undefined, 'JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await statusOf(typ === undefined ? {} : { typ }), typ).toBe(passed);
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', ''])
      expect(await statusOf({ typ }), typ).toBe(401);
    expect(await statusOf({}, { nonce: 'n' })).toBe(401);
    expect(await statusOf({}, { events: {} })).toBe(401);
  });

  it('introspects a token once, and answers 503 to others while that is down', async () => {
    const { issuer, asked, broken, token } = await authorizationServer({ accessTokens: 'opaque' });
    const endpoint = `${issuer}/token/introspection`;
    const verify = introspection({ endpoint, clientId: tester.id, clientSecret: tester.secret });
    const { url, ask } = await protect(issuer, verify);
    const valid = await token(url, 'mcp:tools');
    for (let at = 0; at < 3; at += 1) expect((await ask(valid)).status).toBe(passed);
    expect(asked.get('/token/introspection')).toBe(1);
    expect((await ask(await token('https://other.example', 'mcp:tools'))).status).toBe(401);
    expect((await ask('unknown')).status).toBe(401);
    broken.set('/token/introspection', 503);
    expect((await ask(valid)).status).toBe(passed);
    expect(await ask('another')).toEqual({ status: 503, challenge: null });
  });

  it.each(['/jwks', '/.well-known/oauth-authorization-server'])(
    'asks once in an interval while %s fails, and again afterwards',
    async (path) => {
      const { issuer, asked, broken, token } = await authorizationServer();
      const { url, ask } = await protect(issuer, jwt({ issuer }));
      const impatient = await protect(issuer, jwt({ issuer, jwksIntervalMs: 0 }));
      const valid = await token(url, 'mcp:tools');
      broken.set(path, 500);
      broken.set('/.well-known/openid-configuration', 500);
      for (let at = 0; at < 3; at += 1) expect(await ask(valid)).toEqual({ status: 503, challenge: null });
      expect(asked.get(path)).toBe(1);
      const other = await token(impatient.url, 'mcp:tools');
      expect((await impatient.ask(other)).status).toBe(503);
      broken.clear();
      expect((await impatient.ask(other)).status).toBe(passed);
    },
  );

  it('verifies with keys that it has while they cannot be fetched again', async () => {
    const { issuer, broken, token } = await authorizationServer();
    const { url, ask } = await protect(issuer, jwt({ issuer, jwksIntervalMs: 0 }));
    expect((await ask(await token(url, 'mcp:tools'))).status).toBe(passed);
    broken.set('/jwks', 500);
    const { privateKey } = await generateKeyPair('ES256');
    const forged = new SignJWT({ sub: 'eve' }).setProtectedHeader({ alg: 'ES256', kid: 'unknown' });
    const signed = forged.setIssuer(issuer).setAudience(url).setExpirationTime('1h').sign(privateKey);
    expect((await ask(await signed)).status).toBe(503);
    expect((await ask(await token(url, 'mcp:tools'))).status).toBe(passed);
  });

  it('reads one token of a known scheme from the header', async () => {
    const { authenticate } = resourceServer({
      resource: 'https://mcp.example/mcp',
      authorizationServers: ['https://issuer.example'],
      verify: (token) => (token === 't' ? { sub: 'ada' } : undefined),
    });
    const ask = (...values: readonly string[]) =>
      authenticate({ method: 'GET', target: '/mcp', secure: true, headerValues: () => values });
    for (const value of ['Bearer t', 'bearer  t', 'BEARER t '])
      expect(await ask(value), value).toMatchObject({ principal: 'ada' });
    for (const value of ['', 't', 'Bearer', 'Bearer ', ' t', 'Basic t', 'Bearer t t', 'Bearer t, Bearer t'])
      expect(await ask(value), value).toMatchObject({ status: 401, message: 'an access token is needed' });
    expect(await ask('Bearer t', 'Bearer t')).toMatchObject({ message: 'an access token is needed' });
  });

  it.each(['offline_access', 'a b', '"', ''])('has no scope %j', (scope) => {
    const options = { resource: 'https://mcp.example/mcp', authorizationServers: ['https://issuer.example'] };
    const verify = () => undefined;
    for (const scopes of [{ scopes: [scope] }, { scopesSupported: [scope] }])
      expect(() => resourceServer({ ...options, verify, ...scopes })).toThrow('is not a scope of a resource');
  });

  it('asks no address that others on the network could answer for', () => {
    const insecure = 'http://login.example.com/x';
    const credentials = { clientId: tester.id, clientSecret: tester.secret };
    expect(() => jwt({ issuer: insecure })).toThrow('jwt: "issuer" is http://login.example.com.');
    expect(() => jwt({ issuer: 'https://a.example', jwksUri: insecure })).toThrow('"jwksUri"');
    expect(() => introspection({ endpoint: insecure, ...credentials })).toThrow('"endpoint"');
    expect(() => jwt({ issuer: 'login.example.com' })).toThrow('"issuer" is no URL');
    for (const host of ['localhost', '127.0.0.1', '[::1]']) jwt({ issuer: `http://${host}:1` });
  });

  it('protects a handler of web requests', async () => {
    const { issuer, token } = await authorizationServer();
    const resource = 'http://127.0.0.1/mcp';
    const guard = resourceServer({ resource, authorizationServers: [issuer], verify: jwt({ issuer }) });
    const handler = fetchHandler(server, { authenticate: guard.authenticate });
    onTestFinished(() => handler.close());
    const ask = (headers: Record<string, string>): Promise<Response> =>
      handler(new Request(resource, { method: 'PUT', headers: { host: '127.0.0.1', ...headers } }));
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${await token(resource)}` })).status).toBe(passed);
    const found = guard.metadata(new Request(guard.metadataUrl));
    expect(await found?.json()).toMatchObject({ resource });
    expect(guard.metadata(new Request(resource))).toBeUndefined();
  });
});
