import { generateKeyPair as generateRsa } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { defineClient, defineServer, once } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { httpHandler } from '@rxmcp/http/node';
import { offerTools, tool, tools } from '@rxmcp/tools';
import type { AuthenticationResult, RequestHead } from '@rxmcp/transport/guard';
import { base64url, calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startAuthorizationServer, tester } from '../../../vitest.oidc.js';
import { oauth } from '../src/index.js';
import { introspection, jwt, resourceServer, type ResourceServerOptions } from '../src/server.js';

const endpoint = 'https://mcp.example/mcp';
const token = 'bound';

interface Made {
  /** What a proof says; missing members are those of a valid one. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A resource server with a token that is bound to a key, and who has the key. */
async function bound(dpop: ResourceServerOptions['dpop'] = {}, cnf?: object, resource = endpoint) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const jkt = await calculateJwkThumbprint(jwk);
  const { authenticate } = resourceServer({
    resource,
    authorizationServers: ['https://issuer.example'],
    verify: (given) => ({ sub: 'ada', ...(given === token ? { cnf: cnf ?? { jkt } } : {}) }),
    dpop,
  });
  const ath = base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))),
  );
  const askAt = (
    target: string,
    authorization: string,
    ...proofs: string[]
  ): Promise<AuthenticationResult> => {
    const values: Record<string, string[]> = { authorization: [authorization], dpop: proofs };
    const head: RequestHead = {
      method: 'POST',
      target,
      secure: true,
      headerValues: (name) => values[name] ?? [],
    };
    return Promise.resolve(authenticate(head));
  };
  const claims = () => ({ jti: crypto.randomUUID(), htm: 'POST', htu: resource, ath });
  return {
    claims,
    prove({ payload, header }: Made = {}): Promise<string> {
      const signed = new SignJWT({ iat: Math.floor(Date.now() / 1_000), ...claims(), ...payload });
      return signed.setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header }).sign(privateKey);
    },
    ask(authorization: string, ...proofs: string[]): Promise<AuthenticationResult> {
      return askAt('/mcp?x=1', authorization, ...proofs);
    },
    askAt,
  };
}

const refusedWith = (error: string): object => ({
  status: 401,
  challenge: expect.stringMatching(new RegExp(`^DPoP error="${error}", algs="ES256 `)) as string,
});

/** A proof by an RSA key with this exponent, and the token that is bound to it. */
async function provenByRsa(publicExponent: number) {
  const pair = promisify(generateRsa)('rsa', { modulusLength: 2_048, publicExponent });
  const { privateKey, publicKey } = await pair;
  const jwk = await exportJWK(publicKey);
  const { ask, claims } = await bound({}, { jkt: await calculateJwkThumbprint(jwk) });
  const signed = new SignJWT({ iat: Math.floor(Date.now() / 1_000), ...claims() });
  const proof = await signed.setProtectedHeader({ alg: 'RS256', typ: 'dpop+jwt', jwk }).sign(privateKey);
  return ask(`DPoP ${token}`, proof);
}

describe('a token that is bound to a key', () => {
  it('has a key that is quickly checked: an RSA key with another exponent than 65537 is refused', async () => {
    expect(await provenByRsa(65_537)).toMatchObject({ principal: 'ada' });
    expect(await provenByRsa(3)).toMatchObject(refusedWith('invalid_dpop_proof'));
  });

  it('is accepted with a proof, once for each', async () => {
    const { ask, prove } = await bound();
    const proof = await prove();
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject({ principal: 'ada' });
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject(refusedWith('invalid_dpop_proof'));
    expect(await ask(`DPoP ${token}`, await prove())).toMatchObject({ principal: 'ada' });
  });

  it('is refused as a bearer token, and another as one that is bound', async () => {
    const { ask, prove } = await bound();
    expect(await ask(`Bearer ${token}`, await prove())).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('Bearer error="invalid_token"') as string,
      message: 'this access token needs a proof of possession',
    });
    expect(await ask('Bearer other')).toMatchObject({ principal: 'ada' });
    expect(await ask('DPoP other', await prove())).toMatchObject(refusedWith('invalid_token'));
  });

  it.each<[string, Made]>([
    ['another method', { payload: { htm: 'GET' } }],
    ['another path', { payload: { htu: 'https://mcp.example/other' } }],
    ['another origin', { payload: { htu: 'https://other.example/mcp' } }],
    ['an invalid URL', { payload: { htu: 'mcp' } }],
    ['another token', { payload: { ath: 'AAAA' } }],
    ['no token', { payload: { ath: undefined } }],
    ['no id', { payload: { jti: undefined } }],
    ['an empty id', { payload: { jti: '' } }],
    ['no time', { payload: { iat: undefined } }],
    ['a time that is past', { payload: { iat: Math.floor(Date.now() / 1_000) - 600 } }],
    ['a time to come', { payload: { iat: Math.floor(Date.now() / 1_000) + 600 } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['no key', { header: { jwk: undefined } }],
    ['a symmetric key', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }],
  ])('is refused with a proof that has %s', async (_name, made) => {
    const { ask, prove } = await bound();
    expect(await ask(`DPoP ${token}`, await prove(made))).toMatchObject(refusedWith('invalid_dpop_proof'));
  });

  it('is refused with no proof, two, an invalid one, one too long, and one of another key', async () => {
    const { ask, prove } = await bound();
    const other = await bound();
    const proof = await prove();
    for (const proofs of [
      [],
      [proof, proof],
      ['x'],
      [await prove({ payload: { text: 'x'.repeat(8_192) } })],
      [await other.prove()],
    ])
      expect(await ask(`DPoP ${token}`, ...proofs)).toMatchObject(refusedWith('invalid_dpop_proof'));
  });

  it('needs a proof for the URL without its query, in any spelling', async () => {
    const { ask, prove } = await bound();
    for (const htu of [
      'https://MCP.example:443/mcp',
      'https://mcp.example/mcp?x=2#y',
      'wss://mcp.example/mcp',
    ])
      expect(await ask(`DPoP ${token}`, await prove({ payload: { htu } })), htu).toMatchObject({
        principal: 'ada',
      });
  });

  it.each([
    ['/api/mcp', '/mcp'],
    ['/api/mcp', '/'],
    ['/api/mcp/ticket', '/mcp/ticket'],
    ['/api/mcp/ticket', '/ticket'],
    ['/api/messages', '/messages'],
  ])('needs one for %s where a proxy sends the request to %s', async (named, target) => {
    const { askAt, prove } = await bound({}, undefined, 'https://mcp.example/api/mcp');
    const at = async (htu: string): Promise<AuthenticationResult> =>
      askAt(target, `DPoP ${token}`, await prove({ payload: { htu: `https://mcp.example${htu}` } }));
    expect(await at(named)).toMatchObject({ principal: 'ada' });
    for (const other of [`/other${target}`, `/api/mcp/other`, `${named}/more`])
      expect(await at(other), other).toMatchObject(refusedWith('invalid_dpop_proof'));
  });

  it.each([{ 'x5t#S256': 'x' }, { jkt: 7 }, { jkt: 'x', jku: 'y' }, { jkt: undefined }])(
    'is refused where it is bound otherwise: %j',
    async (cnf) => {
      const { ask, prove } = await bound({}, cnf);
      for (const scheme of ['DPoP', 'Bearer'])
        expect(await ask(`${scheme} ${token}`, await prove())).toMatchObject({ status: 401 });
    },
  );

  it('needs a nonce where that is demanded, and then no time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, prove } = await bound({ nonce: true });
    const nonceOf = async (nonce?: string): Promise<string> => {
      const refused = await ask(`DPoP ${token}`, await prove({ payload: { nonce } }));
      expect(refused).toMatchObject(refusedWith('use_dpop_nonce'));
      return (refused as { headers?: Record<string, string> }).headers?.['dpop-nonce'] ?? '';
    };
    const nonce = await nonceOf();
    expect(await nonceOf('another')).toBe(nonce);
    const proof = await prove({ payload: { nonce, iat: 1 } });
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject({ principal: 'ada' });
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject(refusedWith('invalid_dpop_proof'));
    vi.advanceTimersByTime(5 * 60_000);
    expect(await ask(`DPoP ${token}`, await prove({ payload: { nonce } }))).toMatchObject({
      principal: 'ada',
    });
    vi.advanceTimersByTime(5 * 60_000);
    expect(await nonceOf(nonce)).not.toBe(nonce);
  });

  it('is refused with a used proof in the last moment of its time too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, prove } = await bound();
    const iat = Math.floor(Date.now() / 1_000);
    const proof = await prove({ payload: { iat } });
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject({ principal: 'ada' });
    vi.setSystemTime(iat * 1_000 + 60_000);
    const other = await prove({ payload: { iat } });
    expect(await ask(`DPoP ${token}`, other)).toMatchObject({ principal: 'ada' });
    expect(await ask(`DPoP ${token}`, proof)).toMatchObject(refusedWith('invalid_dpop_proof'));
  });

  it('is the only one that is accepted where that is demanded', async () => {
    const { ask, prove } = await bound({ required: true });
    expect(await ask('Bearer other')).toMatchObject({ status: 401 });
    expect(await ask(`DPoP ${token}`, await prove())).toMatchObject({ principal: 'ada' });
    expect(await ask('')).toMatchObject({
      challenge: expect.stringMatching(/^DPoP algs="ES256 .*", resource_metadata="/) as string,
    });
  });
});

describe.each(['jwt', 'opaque'] as const)(
  'a client with DPoP and %s tokens of oidc-provider',
  (accessTokens) => {
    it.each([
      [{}, false],
      [{ required: true, nonce: true }, true],
    ])('calls a server with %j', async (dpop, dpopNonce) => {
      const server = await startAuthorizationServer({ accessTokens, dpopNonce });
      onTestFinished(() => server.close());
      const { issuer } = server;
      const whoami = tool('whoami', (_args, { caller }) => `${caller.principal}`);
      const mcp = defineServer({ info: { name: 'test', version: '1.0.0' }, offers: [offerTools([whoami])] });
      const web = createServer();
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}/mcp`;
      const endpoint = `${issuer}/token/introspection`;
      const verify =
        accessTokens === 'jwt'
          ? jwt({ issuer })
          : introspection({ endpoint, clientId: tester.id, clientSecret: tester.secret });
      const guard = resourceServer({ resource: url, authorizationServers: [issuer], verify, dpop });
      const handler = httpHandler(mcp, { authenticate: guard.authenticate });
      const statuses: string[] = [];
      web.on('request', (request, response) => {
        const { authorization = 'none' } = request.headers;
        response.once('finish', () => statuses.push(`${authorization.split(' ')[0]} ${response.statusCode}`));
        if (!guard.nodeMetadata(request, response)) handler(request, response);
      });
      onTestFinished(async () => {
        await handler.close();
        web.closeAllConnections();
        web.close();
      });
      const auth = oauth({
        dpop: true,
        grant: { type: 'client-credentials' },
        clients: [{ ...tester, issuer }],
      });
      for (const era of ['legacy', 'modern'] as const) {
        const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, eras: [era] });
        const remote = await client.connect(http(url, { auth }));
        onTestFinished(() => remote.close());
        expect((await once(tools(remote).call('whoami'))).content).toEqual([
          { type: 'text', text: expect.stringContaining('tester') as string },
        ]);
      }
      expect(statuses.filter((status) => status === 'DPoP 401')).toHaveLength(dpopNonce ? 1 : 0);
      const { required } = dpop as { required?: boolean };
      const plain =
        required === true ? { headers: { authorization: `Bearer ${await server.token(url)}` } } : {};
      expect((await fetch(url, { method: 'POST', ...plain })).status).toBe(401);
    });
  },
);
