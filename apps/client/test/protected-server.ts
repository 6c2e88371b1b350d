import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineServer } from 'rxmcp';
import { jwt, requireScopes, resourceServer } from 'rxmcp/auth/server';
import { httpHandler } from 'rxmcp/http/node';
import { offerTools, text, tool } from 'rxmcp/tools';
import { webSocketHandler } from 'rxmcp/websocket/node';
import { onTestFinished } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../../../vitest.oidc.js';

/** A server that requires a sign-in, also over WebSocket, and its authorization server, until the test ends. */
export async function protectedServer(): Promise<{
  readonly url: string;
  readonly authorization: AuthorizationServer;
}> {
  const authorization = await startAuthorizationServer();
  onTestFinished(() => authorization.close());
  const mcp = defineServer({
    info: { name: 'protected', version: '1.0.0' },
    offers: [
      offerTools([
        tool('scopes', {}, (_args, { caller }) => text(String(caller.scopes?.join(' ')))),
        tool('wipe', () => 'wiped'),
      ]),
    ],
    interceptors: [requireScopes({ tools: { wipe: ['mcp:write'] } })],
  });
  let listener: RequestListener = () => undefined;
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const { issuer } = authorization;
  const guard = resourceServer({
    resource: url,
    authorizationServers: [issuer],
    verify: jwt({ issuer }),
    scopes: ['mcp:tools'],
  });
  const handler = httpHandler(mcp, { authenticate: guard.authenticate });
  listener = (request, response) => {
    if (!guard.nodeMetadata(request, response)) handler(request, response);
  };
  const sockets = webSocketHandler(mcp, { authenticate: guard.authenticate });
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  onTestFinished(async () => {
    await sockets.close();
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  return { url, authorization };
}
