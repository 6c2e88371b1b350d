import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { DemoInMemoryAuthProvider } from '@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js';
import express from 'express';
import { onTestFinished } from 'vitest';

/** An MCP server and its authorization server, both made with the official SDK, v1. */
export interface OfficialServer {
  readonly url: string;
  /** The tokens that are valid. */
  readonly tokens: Map<string, unknown>;
  /** How often each path was asked for. */
  readonly asked: Map<string, number>;
}

/** Serves one tool, `hello`, to who has signed in. The authorization server asks nobody: it sends the browser back at once. */
export async function officialServer(): Promise<OfficialServer> {
  const asked = new Map<string, number>();
  const app = express();
  app.use((request, _, next) => {
    asked.set(request.path, (asked.get(request.path) ?? 0) + 1);
    next();
  });
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = new URL(`http://localhost:${(server.address() as AddressInfo).port}`);
  const url = new URL('/mcp', issuer);
  const provider = new DemoInMemoryAuthProvider();
  app.use(
    mcpAuthRouter({ provider, issuerUrl: issuer, resourceServerUrl: url, scopesSupported: ['mcp:tools'] }),
  );
  const bearer = requireBearerAuth({
    verifier: {
      verifyAccessToken: (token) =>
        provider.verifyAccessToken(token).catch(() => {
          throw new InvalidTokenError('unknown');
        }),
    },
    resourceMetadataUrl: new URL('/.well-known/oauth-protected-resource/mcp', issuer).href,
  });
  app.use('/mcp', bearer, express.json(), async (request, response) => {
    const mcp = new McpServer({ name: 'official', version: '1.0.0' });
    mcp.registerTool('hello', {}, ({ authInfo }) => ({
      content: [{ type: 'text', text: `hello ${authInfo?.scopes.join(' ')}` }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport as never);
    await transport.handleRequest(request, response, request.body);
  });
  return { url: url.href, tokens: provider['tokens'], asked };
}
