import { oauth } from '@rxmcp/auth';
import { jwt, resourceServer, type ResourceServer } from '@rxmcp/auth/server';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { serveSse } from '@rxmcp/sse/node';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { defineClient, once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished } from 'vitest';
import { tester } from '../../../../vitest.oidc.js';
import { authorizationServer, server } from './protected.js';

type Auth = (url: string) => ResourceServer;

it.each([
  ['Streamable HTTP', (auth: Auth) => serveHttp(server, { auth }), http],
  ['HTTP+SSE', (auth: Auth) => serveSse(server, { auth }), sse],
  ['WebSocket', (auth: Auth) => serveWebSocket(server, { auth }), webSocket],
] as const)('over %s every request proves that its token is not stolen', async (_name, start, transport) => {
  const { issuer, token } = await authorizationServer({ dpopNonce: true });
  const verify = jwt({ issuer });
  const { url, close } = await start((resource) =>
    resourceServer({
      resource,
      authorizationServers: [issuer],
      verify,
      dpop: { required: true, nonce: true },
    }),
  );
  onTestFinished(() => close());
  const { origin, pathname, href } = new URL(url.replace(/^ws/, 'http'));
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  expect(await metadata.json()).toMatchObject({ dpop_bound_access_tokens_required: true });
  const auth = oauth({
    dpop: true,
    grant: { type: 'client-credentials' },
    clients: [{ ...tester, issuer }],
  });
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
  const remote = await client.connect(transport(url, { auth }));
  onTestFinished(() => remote.close());
  for (let times = 0; times < 2; times += 1)
    expect((await once(tools(remote).call('whoami'))).content).toEqual([{ type: 'text', text: 'tester ' }]);
  const headers = { authorization: `Bearer ${await token(href)}` };
  await expect(client.connect(transport(url, { headers }))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
