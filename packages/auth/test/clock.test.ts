import { generateKeyPair, exportJWK } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tester } from '../../../vitest.oidc.js';
import { oauth } from '../src/index.js';
import { jwt, resourceServer } from '../src/server.js';
import { ask, authorizationServer, listening, protectedResource } from './protected-resource.js';
import { causeOf } from './signed-in.js';
import { resource as address, standIn } from './stand-in-server.js';

/** Sets the clock of this client. Returns a `fetch` whose servers have the right time. */
function clockOff(minutes: number): typeof fetch {
  const set = (): void =>
    void vi.useFakeTimers({
      toFake: ['Date'],
      now: performance.timeOrigin + performance.now() + minutes * 60_000,
    });
  onTestFinished(() => void vi.useRealTimers());
  set();
  return async (...request) => {
    vi.useRealTimers();
    try {
      return await fetch(...request);
    } finally {
      set();
    }
  };
}

describe.each([10, -10])('a clock that is %i minutes ahead', (minutes) => {
  it('prevents no sign-in with private_key_jwt', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keyed = {
      client_id: 'keyed',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [{ ...(await exportJWK(publicKey)), kty: 'EC' }] },
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    } as const;
    const { issuer, asked } = await authorizationServer({ clients: [keyed as never] });
    const resource = await protectedResource(issuer);
    const auth = oauth({
      grant: { type: 'client-credentials' },
      clients: [{ id: 'keyed', privateKey, issuer }],
      fetch: clockOff(minutes) as never,
    });
    expect(await ask(auth, resource.url)).toBe(200);
    // The first assertion has the wrong time. The time of the server is then known.
    expect(asked.get('/token')).toBe(2);
    await auth.signIn(resource.url, { again: true });
    expect(asked.get('/token')).toBe(3);
  });

  it('prevents no sign-in with DPoP, and no call', async () => {
    const { issuer } = await authorizationServer();
    const url = await listening((resource) => {
      const dpop = { required: true };
      const guard = resourceServer({
        resource,
        authorizationServers: [issuer],
        verify: jwt({ issuer }),
        dpop,
      });
      return (request, response) => {
        if (guard.nodeMetadata(request, response)) return;
        const head = {
          method: request.method ?? '',
          target: request.url ?? '',
          secure: false,
          headerValues: (name: string) => request.headersDistinct[name] ?? [],
        };
        void Promise.resolve(guard.authenticate(head)).then((found) => {
          const { status = 200, challenge = '' } = found as { status?: number; challenge?: string };
          response.writeHead(status, { 'www-authenticate': challenge }).end();
        });
      };
    });
    const send = clockOff(minutes);
    const auth = oauth({
      dpop: true,
      grant: { type: 'client-credentials' },
      clients: [{ ...tester, issuer }],
      fetch: send as never,
    });
    for (let times = 0; times < 2; times += 1) expect(await ask(auth, url, send)).toBe(200);
  });
});

it.each([
  [400, 2],
  [401, 2],
  [403, 1],
])('a token request with another time is rejected with status %i: sent %i times', async (status, times) => {
  const headers = { date: new Date(Date.now() + 600_000).toUTCString() };
  const rejected = Response.json({ error: 'invalid_dpop_proof' }, { status, headers });
  const { auth, sent } = standIn({
    options: { dpop: true },
    responses: { '/token': [rejected, { access_token: 'token', token_type: 'DPoP' }] },
  });
  const signedIn = auth.signIn(address);
  if (times === 2) await signedIn;
  else await expect(signedIn).rejects.toMatchObject({ code: 'TOKEN_FAILED' });
  expect(sent('/token')).toHaveLength(times);
});

it('a proof that a server rejects is an error that names the cause, and no sign-in', async () => {
  const { issuer, asked } = await authorizationServer();
  const resource = await protectedResource(issuer);
  const auth = oauth({
    dpop: true,
    grant: { type: 'client-credentials' },
    clients: [{ ...tester, issuer }],
  });
  await auth.signIn(resource.url);
  resource.verdict = () => [401, 'error="invalid_dpop_proof"'];
  const error = await causeOf(ask(auth, resource.url));
  expect(error).toMatchObject({ code: 'PROOF_REJECTED' });
  expect(error?.message).toContain(`${new URL(resource.url).origin} rejects the proof of possession`);
  expect(resource.tokens).toHaveLength(1);
  expect(asked.get('/token')).toBe(1);
});
