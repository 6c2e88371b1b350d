import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  browse,
  startAuthorizationServer,
  tester,
} from '../../../vitest.oidc.js';
import { type Auth, oauth } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';

async function authorizationServer(options?: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = await startAuthorizationServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** An address that only refers to its authorization server. */
async function resourceOf(issuer: string): Promise<string> {
  const server = createServer((request, response) => {
    const resource = `http://${String(request.headers.host)}/mcp`;
    const metadata = { resource, authorization_servers: [issuer], scopes_supported: ['mcp:tools'] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

const signIn = (): Auth => oauth({ redirect: loopbackRedirect({ open: (url) => void browse(url) }) });

describe('the authorization server of the tests', () => {
  it.each(['jwt', 'opaque'] as const)('registers a client and gives it tokens: %s', async (accessTokens) => {
    const server = await authorizationServer({ accessTokens });
    const url = await resourceOf(server.issuer);
    const auth = signIn();
    await auth.signIn(url);
    const { authorization = '' } = await auth.headers({ method: 'POST', url });
    expect(authorization.split('.')).toHaveLength(accessTokens === 'jwt' ? 3 : 1);
    expect(server.asked.get('/reg')).toBe(1);
  });

  it('gives a client that it knows a token for a resource, and introspects it', async () => {
    const { issuer, token } = await authorizationServer({ accessTokens: 'opaque' });
    const body = new URLSearchParams({ token: await token('https://mcp.example/mcp', 'mcp:tools') });
    const authorization = `Basic ${btoa(`${tester.id}:${encodeURIComponent(tester.secret)}`)}`;
    const response = await fetch(`${issuer}/token/introspection`, {
      method: 'POST',
      body,
      headers: { authorization },
    });
    expect(await response.json()).toMatchObject({
      active: true,
      aud: 'https://mcp.example/mcp',
      scope: 'mcp:tools',
    });
  });

  it('signs with another key once it rotates', async () => {
    const { issuer, rotateKeys } = await authorizationServer();
    const jwks = async (): Promise<string> => (await fetch(`${issuer}/jwks`)).text();
    const before = await jwks();
    expect(await jwks()).toBe(before);
    rotateKeys();
    expect(await jwks()).not.toBe(before);
  });
});
