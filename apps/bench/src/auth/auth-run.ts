// A child of the bench: calls with a token and without one take turns; sends a row for each turn, of this process and of the server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { memoryStore, oauth } from 'rxmcp/auth';
import { jwt } from 'rxmcp/auth/server';
import { http } from 'rxmcp/http';
import { tools } from 'rxmcp/tools';
import { MeasuredChild } from '../children/measured-child.js';
import { report, taskOf } from '../children/tasks.js';
import { benchClient } from '../servers/rxmcp.js';
import { awaitedCalls, ownCpuMicros, takeTurns } from '../turns.js';

const { calls, inFlight, tokens, rounds } = taskOf<'auth-run'>();
const { publicKey, privateKey } = await generateKeyPair('ES256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'a' }] };
const keys = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(jwks));
});
await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
const server = new MeasuredChild('auth-server', [issuer], 'ignore');
const origin = await server.listening();
const resource = `${origin}/mcp`;

const called = await takeTurns({
  transport: 'auth',
  inFlight,
  plan: { calls, rounds },
  cpuMicros: { 'CPU of the client': ownCpuMicros, 'CPU of the server': () => server.cpuMicros() },
  ways: [
    ['rxmcp', await caller(`${origin}/plain`)],
    ['authorized', await caller(resource, oauth({ store: await keptToken() }))],
  ],
});
// Each is new to both: three rounds warm their code.
const fresh = await Promise.all(Array.from({ length: tokens * 2 * (rounds + 3) }, signed));
const verified = await takeTurns({
  transport: 'auth',
  inFlight: 1,
  plan: { calls: tokens, rounds },
  cpuMicros: { 'a token that is not in the cache': ownCpuMicros },
  ways: [
    ['floor', verifyFresh(bare())],
    ['authorized', verifyFresh(jwt({ issuer, jwksUri: `${issuer}/jwks` }))],
  ],
});
await server.stop();
report([...called, ...verified]);

type Verify = ReturnType<typeof jwt>;

/** Verifies tokens one after the other. */
function verifyFresh(verify: Verify): (count: number) => Promise<void> {
  return async (count) => {
    for (const token of fresh.splice(0, count))
      if ((await verify(token, resource))?.['sub'] !== 'ada') throw new Error('a token was not verified');
  };
}

/** Makes calls one after the other. */
async function caller(
  url: string,
  auth?: ReturnType<typeof oauth>,
): Promise<(count: number) => Promise<void>> {
  const remote = await benchClient('modern').connect(http(url, auth === undefined ? {} : { auth }));
  const echo = tools(remote);
  return (count) => awaitedCalls(echo, count);
}

/** A store that has a token already. */
async function keptToken(): Promise<ReturnType<typeof memoryStore>> {
  const store = memoryStore();
  const kept = {
    schema: 1,
    issuer,
    registration: { client_id: 'bench' },
    tokens: { accessToken: await signed(), scopes: [], expiresAt: Date.now() + 3_600_000 },
    discovered: { resource, server: { issuer, token_endpoint: `${issuer}/token` } },
  };
  await store.set(resource, JSON.stringify(kept));
  return store;
}

/** The least that verifies a token: `jose` with the same checks. */
function bare(): Verify {
  const set = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const checks = { issuer, algorithms: ['ES256'], clockTolerance: 30, requiredClaims: ['exp'] };
  return async (token, audience) => (await jwtVerify(token, set, { ...checks, audience })).payload;
}

function signed(): Promise<string> {
  return new SignJWT({ scope: 'read', client_id: 'bench', jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'a', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(resource)
    .setSubject('ada')
    .setExpirationTime('1h')
    .sign(privateKey);
}
