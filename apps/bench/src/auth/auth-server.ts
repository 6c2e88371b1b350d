// A child of the bench: node auth-server.js ISSUER serves one tool at /plain, and at /mcp with tokens of the issuer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwt, resourceServer } from 'rxmcp/auth/server';
import { httpHandler } from 'rxmcp/http/node';
import { make } from '../servers/rxmcp.js';

const [, , issuer = ''] = process.argv;
const listener = createServer().listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const guard = resourceServer({
    resource: `${origin}/mcp`,
    authorizationServers: [issuer],
    verify: jwt({ issuer, jwksUri: `${issuer}/jwks` }),
  });
  const server = make(1);
  const plain = httpHandler(server);
  const guarded = httpHandler(server, { authenticate: guard.authenticate });
  listener.on('request', (request, response) => {
    if (request.url === '/plain') plain(request, response);
    else guarded(request, response);
  });
  console.error(`listening ${origin}`);
});
