import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oauth } from '@rxmcp/auth';
import { loopbackRedirect } from '@rxmcp/auth/node';
import { requireScopes, resourceServer } from '@rxmcp/auth/server';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { httpHandler, serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { serveSse } from '@rxmcp/sse/node';
import { bearer } from '@rxmcp/transport/guard';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { webSocket } from '@rxmcp/websocket';
import { defineClient, defineServer, once, type Remote, RpcError, textOf } from 'rxmcp';
import { offerPrompts, prompt, prompts, user } from 'rxmcp/prompts';
import { offerResources, resource, resources } from 'rxmcp/resources';
import { offerTools, tool, tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished } from 'vitest';
import { browse } from '../../../../vitest.oidc.js';
import { authorizationServer, guarded, listening, signIn } from './protected.js';

const rules = {
  tools: { wipe: ['mcp:write', 'mcp:admin'] },
  prompts: { plan: ['mcp:write'] },
  resources: { 'memo:/*': ['mcp:admin'] },
  methods: { 'tools/call': ['mcp:write'] },
};
const server = defineServer({
  info: { name: 'hall', version: '1.0.0' },
  offers: [
    offerTools([tool('look', () => 'seen'), tool('wipe', () => 'wiped')]),
    offerPrompts([prompt('plan', {}, () => [user('plan')])]),
    offerResources([resource('memo:/a', { name: 'a' }, () => 'text')]),
  ],
  interceptors: [requireScopes(rules)],
});

interface Signed {
  readonly remote: Remote;
  /** The scopes that a person was asked for each time. */
  readonly asked: readonly string[][];
}

/** A client of a protected server, whose person signs in with `mcp:tools` first. */
async function signedIn(era: 'legacy' | 'modern'): Promise<Signed> {
  const { issuer } = await authorizationServer();
  const origin = await listening((at) => {
    const guard = guarded(`${at}/mcp`, issuer);
    const mcp = httpHandler(server, { authenticate: guard.authenticate });
    onTestFinished(() => mcp.close());
    return (request, response) => {
      if (!guard.nodeMetadata(request, response)) mcp(request, response);
    };
  });
  const asked: string[][] = [];
  const open = (page: URL): void => {
    const scopes = page.searchParams.get('scope')?.split(' ') ?? [];
    asked.push(scopes.filter((scope) => scope !== 'offline_access'));
    void browse(page);
  };
  const auth = oauth({ redirect: loopbackRedirect({ open }) });
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, eras: [era] });
  const remote = await client.connect(http(`${origin}/mcp`, { auth }));
  onTestFinished(() => remote.close());
  return { remote, asked };
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  it.each<[string, (remote: Remote) => Promise<unknown>, readonly string[]]>([
    ['a tool', (remote) => once(tools(remote).call('wipe')), ['mcp:write', 'mcp:admin']],
    ['a prompt', (remote) => once(prompts(remote).get('plan')), ['mcp:write']],
    ['a resource', (remote) => once(resources(remote).read('memo:/a')), ['mcp:admin']],
    ['a method', (remote) => once(tools(remote).call('look')), ['mcp:write']],
  ])('signs in once more for all scopes of %s', async (_name, use, scopes) => {
    const { remote, asked } = await signedIn(era);
    const seen = async (): Promise<string[]> => (await once(tools(remote).list())).map(({ name }) => name);
    expect(await seen()).toEqual(['look']);
    await use(remote);
    await use(remote);
    expect(asked).toEqual([['mcp:tools'], ['mcp:tools', ...scopes]]);
    expect(await seen()).toEqual(scopes.length === 2 ? ['look', 'wipe'] : ['look']);
  });
});

it.each([
  [
    'its own',
    (token: string) => bearer({ ada: { token, scopes: ['mcp:tools'] } }),
    /^Bearer error="insufficient_scope", scope="mcp:write mcp:admin"$/,
  ],
  [
    'that of a resource server',
    (token: string) =>
      resourceServer({
        resource: 'https://mcp.example/mcp',
        authorizationServers: ['https://issuer.example'],
        verify: (given) => (given === token ? { sub: 'ada', scope: 'mcp:tools' } : undefined),
        scopes: ['mcp:tools'],
      }).authenticate,
    /^Bearer error="insufficient_scope", resource_metadata="https:\/\/mcp\.example\/\.well-known\/oauth-protected-resource\/mcp", scope="mcp:tools mcp:write mcp:admin"$/,
  ],
])('a 403 has %s challenge, and the scopes are in its body', async (_name, authenticate, challenge) => {
  const handler = fetchHandler(server, { authenticate: authenticate('t') });
  onTestFinished(() => handler.close());
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await handler(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        host: '127.0.0.1',
        authorization: 'Bearer t',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'wipe',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'wipe', _meta: meta },
      }),
    }),
  );
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(challenge);
  const requiredScopes = ['mcp:write', 'mcp:admin'];
  expect(await response.json()).toMatchObject({ id: 7, error: { code: -31005, data: { requiredScopes } } });
});

describe.each(['HTTP+SSE', 'a WebSocket'])('a client over %s', (name) => {
  it('signs in for the scopes that a refused call names', async () => {
    const { issuer } = await authorizationServer();
    const web = createServer();
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}`;
    const serve = name === 'HTTP+SSE' ? serveSse : serveWebSocket;
    const resourceUrl = `${origin}${name === 'HTTP+SSE' ? '/sse' : '/mcp'}`;
    const guard = guarded(resourceUrl, issuer);
    web.on('request', (request, response) => void guard.nodeMetadata(request, response));
    const { url, close } = await serve(server, { server: web, authenticate: guard.authenticate });
    onTestFinished(async () => {
      await close();
      web.closeAllConnections();
      web.close();
    });
    const auth = signIn();
    const connected = async (): Promise<Remote> => {
      const transport = name === 'HTTP+SSE' ? sse(url, { auth }) : webSocket(url, { auth });
      const remote = await defineClient({ info: { name: 'desk', version: '1.0.0' } }).connect(transport);
      onTestFinished(() => remote.close());
      return remote;
    };
    const remote = await connected();
    const error: unknown = await once(tools(remote).call('wipe')).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: -31005, data: { requiredScopes: ['mcp:write', 'mcp:admin'] } });
    const { requiredScopes: scopes } = (error as RpcError).data as { requiredScopes: readonly string[] };
    await auth.signIn(url, { scopes });
    // Each message of HTTP+SSE has a token; a WebSocket has that of its handshake.
    const next = name === 'HTTP+SSE' ? remote : await connected();
    expect(textOf(await once(tools(next).call('wipe')))).toBe('wiped');
  });
});

it('an error that a handler received from elsewhere does not ask the caller for scopes', async () => {
  const relay = tool('relay', () => {
    throw new RpcError(-31005, 'refused', { requiredScopes: ['mcp:admin'] });
  });
  const gate = defineServer({ info: { name: 'gate', version: '1.0.0' }, offers: [offerTools([relay])] });
  const { url, close } = await serveHttp(gate, { authenticate: bearer({ ada: 't' }) });
  onTestFinished(() => close());
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
  const headers = { authorization: 'Bearer t' };
  const statuses: number[] = [];
  const counted: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    statuses.push(response.status);
    return response;
  };
  const remote = await client.connect(http(url, { headers, fetch: counted }));
  onTestFinished(() => remote.close());
  await expect(once(tools(remote).call('relay'))).rejects.toMatchObject({ code: -31005 });
  expect(statuses).not.toContain(403);
});
