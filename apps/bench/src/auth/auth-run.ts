// A child of the bench: calls with a token and without one take turns; sends a row for each turn, of this process and of the server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { defineClient, once } from 'rxmcp';
import { memoryStore, oauth } from 'rxmcp/auth';
import { jwt } from 'rxmcp/auth/server';
import { http } from 'rxmcp/http';
import { tools } from 'rxmcp/tools';
import { authPhases, type AuthTask } from './measure-auth.js';
import { MeasuredChild } from '../children/measured-child.js';
import { expectedText } from '../requests.js';
import { type Contestant, type Row, rowOf } from '../settings.js';

const { calls, inFlight, tokens, rounds } = JSON.parse(process.argv[2] ?? '') as AuthTask;
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

const calling = {
  rxmcp: await caller(`${origin}/plain`),
  authorized: await caller(resource, oauth({ store: await keptToken() })),
};
const verifying = { floor: bare(), authorized: jwt({ issuer, jwksUri: `${issuer}/jwks` }) };
const rows: Row[] = [];
// The first turns warm the code of both.
for (let round = -2; round <= rounds; round += 1) {
  for (const way of inTurn(round, ['rxmcp', 'authorized'] as const)) await callTurn(way, round);
  for (const way of inTurn(round, ['floor', 'authorized'] as const)) await verifyTurn(way, round);
}
await server.stop();
process.send?.(rows, () => process.exit(0));

async function callTurn(way: keyof typeof calling, round: number): Promise<void> {
  const perLane = Math.ceil(calls / inFlight);
  const [theirs, before, start] = [await server.cpuMicros(), process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: inFlight }, () => calling[way](perLane)));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const count = perLane * inFlight;
  add(way, round, authPhases.client, count, user + system, wallMs);
  add(way, round, authPhases.server, count, (await server.cpuMicros()) - theirs, wallMs);
}

async function verifyTurn(way: keyof typeof verifying, round: number): Promise<void> {
  const made = await Promise.all(Array.from({ length: tokens }, () => signed()));
  const [before, start] = [process.cpuUsage(), performance.now()];
  for (const token of made) {
    const claims = await verifying[way](token, resource);
    if (claims?.['sub'] !== 'ada') throw new Error('a token was not verified');
  }
  const { user, system } = process.cpuUsage(before);
  add(way, round, authPhases.verification, tokens, user + system, performance.now() - start);
}

function add(
  contestant: Contestant,
  round: number,
  phase: string,
  count: number,
  cpuMicros: number,
  wallMs: number,
): void {
  if (round < 1) return;
  const setting = { transport: 'auth', era: 'modern', tools: 1, heat: 'warm' } as const;
  const row = {
    ...setting,
    inFlight: phase === authPhases.verification ? 1 : inFlight,
    phase,
    contestant,
    round,
  };
  rows.push(rowOf(row, { calls: count, cpuMicros, wallMs }));
}

/** Makes calls one after the other. */
async function caller(
  url: string,
  auth?: ReturnType<typeof oauth>,
): Promise<(count: number) => Promise<void>> {
  const client = defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: ['modern'] });
  const remote = await client.connect(http(url, auth === undefined ? {} : { auth }));
  const echo = tools(remote);
  return async (count) => {
    for (let id = 0; id < count; id += 1) {
      const { content } = await once(echo.call('echo', { text: expectedText(id) }));
      const [block] = content;
      if (block?.type !== 'text' || block.text !== expectedText(id)) throw new Error('a wrong reply');
    }
  };
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
function bare(): (token: string, audience: string) => Promise<Readonly<Record<string, unknown>> | undefined> {
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

function inTurn<T>(round: number, [one, other]: readonly [T, T]): readonly T[] {
  return round % 2 === 0 ? [other, one] : [one, other];
}
