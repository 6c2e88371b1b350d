import { jwt, resourceServer, type ResourceServer } from '@rxmcp/auth/server';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { sse } from '@rxmcp/sse';
import { serveSse } from '@rxmcp/sse/node';
import { bearer } from '@rxmcp/transport/guard';
import { createServer } from 'node:http';
import { createServer as createMcpServer, defineClient, once, serve, tool } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished, vi } from 'vitest';
import { authorizationServer, guarded, server, signIn } from './protected.js';

const short = createMcpServer({
  name: 'hall',
  version: '1.0.0',
  tools: [tool('whoami', (_args, { caller }) => `${caller.principal} ${caller.scopes?.join(' ')}`)],
});

it.each([
  ['serveHttp', (auth: (url: string) => ResourceServer) => serveHttp(server, { auth }), http],
  ['serveSse', (auth: (url: string) => ResourceServer) => serveSse(server, { auth }), sse],
  [
    'serve',
    (auth: (url: string) => ResourceServer) => {
      vi.spyOn(process.stderr, 'write').mockReturnValueOnce(true);
      return serve(short, { http: { port: 0, auth }, argv: [], env: {} });
    },
    http,
  ],
] as const)(
  '%s protects its URL and serves the metadata at path and root',
  async (_name, start, transport) => {
    const { issuer } = await authorizationServer();
    const { url = '', close } = await start((resource) => guarded(resource, issuer));
    onTestFinished(() => close());
    const { origin, pathname } = new URL(url);
    for (const path of ['', pathname]) {
      const place = `${origin}/.well-known/oauth-protected-resource${path}`;
      const response = await fetch(place, { headers: { origin: 'https://page.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toMatchObject({ resource: url, authorization_servers: [issuer] });
    }
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}?x=1&access_token=t`)).status).toBe(400);
    const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
    const remote = await client.connect(transport(url, { auth: signIn() }));
    onTestFinished(() => remote.close());
    expect((await once(tools(remote).call('whoami'))).content).toEqual([
      { type: 'text', text: 'ada mcp:tools' },
    ]);
  },
);

it('serveHttp protects its part of an existing server', async () => {
  const web = createServer((_request, response) => void response.end('other'));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void web.close());
  const auth = guarded('https://mcp.example/mcp', 'https://issuer.example');
  const { url, close } = await serveHttp(server, { server: web, auth });
  onTestFinished(() => close());
  const read = async (path: string): Promise<string> => (await fetch(new URL(path, url))).text();
  expect(await read('/.well-known/oauth-protected-resource')).toContain('https://mcp.example/mcp');
  expect(await read('/.well-known/oauth-authorization-server')).toBe('other');
  expect((await fetch(url)).headers.get('www-authenticate')).toContain(
    'resource_metadata="https://mcp.example/',
  );
  await close();
  expect(await read('/.well-known/oauth-protected-resource')).toBe('other');
});

it('rejects two ways to authenticate, and ends where the protection cannot be made', async () => {
  const auth = guarded('https://mcp.example/mcp', 'https://issuer.example');
  await expect(serveHttp(server, { auth, authenticate: bearer({ ada: 't' }) })).rejects.toThrow(
    'serveHttp: "auth" has an "authenticate"',
  );
  const issuer = 'https://issuer.example';
  const broken = (resource: string): ResourceServer =>
    resourceServer({ resource, authorizationServers: [], verify: jwt({ issuer }) });
  const web = createServer();
  await expect(serveHttp(server, { server: web, auth: broken })).rejects.toThrow('at least one issuer');
  web.close();
});
