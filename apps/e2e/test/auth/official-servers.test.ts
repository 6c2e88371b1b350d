import { getRequestListener } from '@hono/node-server';
import { McpServer as V1Server } from '@modelcontextprotocol/sdk/server/mcp.js';
import { requireBearerAuth as v1RequireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer as V2Server,
  oauthMetadataResponse,
  requireBearerAuth as v2RequireBearerAuth,
} from '@modelcontextprotocol/server';
import type { AuthStatus } from '@rxmcp/auth';
import { http } from '@rxmcp/http';
import express from 'express';
import { defineClient, once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished } from 'vitest';
import { tester } from '../../../../vitest.oidc.js';
import { authorizationServer, listening, signIn } from './protected.js';

interface Verified {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly expiresAt: number;
  readonly resource: URL;
}

/** Has the authorization server say what a token is worth. */
async function verified(issuer: string, token: string): Promise<Verified> {
  const authorization = `Basic ${btoa(`${tester.id}:${encodeURIComponent(tester.secret)}`)}`;
  const body = new URLSearchParams({ token });
  const answer = await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    body,
    headers: { authorization },
  });
  const { client_id, scope, exp, aud } = (await answer.json()) as Record<string, string> & { exp: number };
  return {
    token,
    clientId: String(client_id),
    scopes: scope?.split(' ') ?? [],
    expiresAt: exp,
    resource: new URL(String(aud)),
  };
}

const metadataOf = async (issuer: string): Promise<never> =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as never;
const scopesSupported = ['mcp:tools'];

/** Serves with SDK v1: its middleware, and its router for the metadata. */
async function v1(issuer: string): Promise<string> {
  const oauthMetadata = await metadataOf(issuer);
  return listening((origin) => {
    const expectedResource = new URL(`${origin}/mcp`);
    const app = express();
    app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: expectedResource, scopesSupported }));
    const bearer = v1RequireBearerAuth({
      verifier: { verifyAccessToken: (token) => verified(issuer, token) },
      requiredScopes: scopesSupported,
      resourceMetadataUrl: `${origin}/.well-known/oauth-protected-resource/mcp`,
      expectedResource,
    });
    app.use('/mcp', bearer, express.json(), async (request, response) => {
      const server = new V1Server({ name: 'v1', version: '1.0.0' });
      server.registerTool('scopes', {}, ({ authInfo }) => ({
        content: [{ type: 'text', text: String(authInfo?.scopes.join(' ')) }],
      }));
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport as never);
      await transport.handleRequest(request, response, request.body);
    });
    return app;
  });
}

/** Serves with SDK v2: its gate, and its response with the metadata. */
async function v2(issuer: string): Promise<string> {
  const oauthMetadata = await metadataOf(issuer);
  return listening((origin) => {
    const expectedResource = new URL(`${origin}/mcp`);
    const handler = createMcpHandler(() => {
      const server = new V2Server({ name: 'v2', version: '1.0.0' });
      server.registerTool('scopes', {}, ({ http: call }) => ({
        content: [{ type: 'text', text: String(call?.authInfo?.scopes.join(' ')) }],
      }));
      return server;
    });
    const gate = v2RequireBearerAuth({
      verifier: { verifyAccessToken: (token) => verified(issuer, token) },
      requiredScopes: scopesSupported,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(expectedResource),
      expectedResource,
    });
    const metadata = { oauthMetadata, resourceServerUrl: expectedResource, scopesSupported };
    const answer = async (request: Request): Promise<Response> => {
      const found = oauthMetadataResponse(request, metadata);
      if (found !== undefined) return found;
      const authInfo = await gate(request);
      return authInfo instanceof Response ? authInfo : handler.fetch(request, { authInfo });
    };
    // The global Response stays the platform's: other test files share this process.
    return getRequestListener(answer, { overrideGlobalObjects: false }) as never;
  });
}

it.each([
  ['v1', '2025-11-25', v1],
  ['v2', '2025-11-25', v2],
  ['v2', '2026-07-28', v2],
] as const)('signs in to a server of the official SDK %s, at %s', async (_, version, serve) => {
  const { issuer, asked } = await authorizationServer({ accessTokens: 'opaque' });
  const url = `${await serve(issuer)}/mcp`;
  const auth = signIn();
  const states: AuthStatus['state'][] = [];
  auth.status$(url).subscribe(({ state }) => states.push(state));
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, versions: [version] });
  const remote = await client.connect(http(url, { auth }));
  onTestFinished(() => remote.close());
  const { content } = await once(tools(remote).call('scopes'));
  expect(content).toEqual([{ type: 'text', text: 'mcp:tools' }]);
  expect(remote.version).toBe(version);
  expect(states.at(-1)).toBe('authorized');
  expect(asked.get('/reg')).toBe(1);
  expect(asked.get('/token')).toBe(1);
});
