import { once as event } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  Client as OfficialClient,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { httpHandler } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { sseHandlers } from '@rxmcp/sse/node';
import type { Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { webSocketHandler } from '@rxmcp/websocket/node';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { defineClient, once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished } from 'vitest';
import { browse } from '../../../../vitest.oidc.js';
import { authorizationServer, guarded, listening, server, signIn } from './protected.js';

const ada = [{ type: 'text', text: 'ada mcp:tools' }];

async function whoami(transport: Transport): Promise<unknown> {
  const remote = await defineClient({ info: { name: 'desk', version: '1.0.0' } }).connect(transport);
  onTestFinished(() => remote.close());
  return (await once(tools(remote).call('whoami'))).content;
}

/** The metadata route of every mount also answers pages. */
async function hasMetadata(origin: string, resource: string): Promise<void> {
  for (const path of ['', new URL(resource).pathname]) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ resource });
  }
}

it('Fastify, with an official client that signs in', async () => {
  const { issuer } = await authorizationServer();
  const app = fastify();
  const origin = await listening((at) => {
    const guard = guarded(`${at}/mcp`, issuer);
    const mcp = httpHandler(server, { authenticate: guard.authenticate });
    app.addHook('onRequest', (request, reply, next) => {
      if (guard.nodeMetadata(request.raw, reply.raw, next)) reply.hijack();
    });
    app.all('/mcp', (request, reply) => {
      reply.hijack();
      mcp(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    onTestFinished(async () => {
      await mcp.close();
      await app.close();
    });
    return (request, response) => app.routing(request, response);
  });
  await app.ready();
  const url = `${origin}/mcp`;
  await hasMetadata(origin, url);
  const provider = await person();
  const client = new OfficialClient(
    { name: 'desk', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const transport = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider: provider.authProvider });
  const first = transport();
  await expect(client.connect(first)).rejects.toThrow();
  await first.finishAuth(await provider.redirected());
  await client.connect(transport());
  onTestFinished(() => client.close());
  expect((await client.callTool({ name: 'whoami', arguments: {} })).content).toEqual(ada);
});

it('Hono', async () => {
  const { issuer } = await authorizationServer();
  const origin = await listening((at) => {
    const guard = guarded(`${at}/mcp`, issuer);
    const mcp = fetchHandler(server, { authenticate: guard.authenticate });
    onTestFinished(() => mcp.close());
    const app = new Hono();
    app.use((context, next) => {
      const found = guard.metadata(context.req.raw);
      return found === undefined ? next() : Promise.resolve(found);
    });
    app.all('/mcp', (context) => mcp(context.req.raw));
    // The global Response stays the platform's: other test files share this process.
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return (request, response) => void listener(request, response);
  });
  const url = `${origin}/mcp`;
  await hasMetadata(origin, url);
  expect(await whoami(http(url, { auth: signIn() }))).toEqual(ada);
});

it('HTTP+SSE', async () => {
  const { issuer, token } = await authorizationServer();
  const origin = await listening((at) => {
    const guard = guarded(`${at}/sse`, issuer);
    const handlers = sseHandlers(server, { authenticate: guard.authenticate });
    onTestFinished(() => handlers.close());
    return (request, response) => {
      if (guard.nodeMetadata(request, response)) return;
      if (!handlers.handle(request, response)) response.writeHead(404).end();
    };
  });
  const url = `${origin}/sse`;
  await hasMetadata(origin, url);
  expect(await whoami(sse(url, { auth: signIn() }))).toEqual(ada);
  const foreign = await token('https://other.example/sse', 'mcp:tools');
  const headers = (): Promise<Record<string, string>> =>
    Promise.resolve({ authorization: `Bearer ${foreign}` });
  await expect(whoami(sse(url, { headers }))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

it('the upgrade to a WebSocket', async () => {
  const { issuer, token } = await authorizationServer();
  const web = createServer();
  web.listen(0, '127.0.0.1');
  await event(web, 'listening');
  const origin = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}`;
  const guard = guarded(`${origin}/mcp`, issuer);
  const sockets = webSocketHandler(server, { authenticate: guard.authenticate });
  web.on('request', (request, response) => {
    if (!guard.nodeMetadata(request, response)) response.writeHead(404).end();
  });
  web.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  onTestFinished(async () => {
    await sockets.close();
    web.closeAllConnections();
    web.close();
  });
  await hasMetadata(origin, `${origin}/mcp`);
  const url = `${origin.replace('http', 'ws')}/mcp`;
  const withToken = (value: string): Transport =>
    webSocket(url, { headers: () => Promise.resolve({ authorization: `Bearer ${value}` }) });
  expect(await whoami(withToken(await token(`${origin}/mcp`, 'mcp:tools')))).toEqual([
    { type: 'text', text: 'tester mcp:tools' },
  ]);
  const refused = { code: 'UNAUTHORIZED', details: { status: 401 } };
  await expect(whoami(webSocket(url))).rejects.toMatchObject(refused);
  const foreign = await token('https://other.example/mcp', 'mcp:tools');
  await expect(whoami(withToken(foreign))).rejects.toMatchObject(refused);
});

/** The part of an application that signs ada in with the official client. */
async function person(): Promise<{
  authProvider: OAuthClientProvider;
  redirected(): Promise<URLSearchParams>;
}> {
  let comeBack: (target: string) => void = () => undefined;
  const redirected = new Promise<string>((resolve) => (comeBack = resolve));
  const origin = await listening(() => (request, response) => {
    comeBack(request.url ?? '');
    response.end();
  });
  const redirectUrl = `${origin}/callback`;
  let [information, tokens, verifier]: [StoredOAuthClientInformation?, StoredOAuthTokens?, string?] = [];
  let page: URL | undefined;
  return {
    authProvider: {
      redirectUrl,
      clientMetadata: {
        client_name: 'desk',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      clientInformation: () => information,
      saveClientInformation: (saved) => void (information = saved),
      tokens: () => tokens,
      saveTokens: (saved) => void (tokens = saved),
      redirectToAuthorization: (url) => void (page = url),
      saveCodeVerifier: (saved) => void (verifier = saved),
      codeVerifier: () => verifier ?? '',
    },
    async redirected() {
      if (page === undefined) throw new Error('the client did not ask to sign in');
      await browse(page);
      return new URL(await redirected, redirectUrl).searchParams;
    },
  };
}
