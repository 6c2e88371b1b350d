import { defineClient, once } from 'rxmcp';
import { oauth } from 'rxmcp/auth';
import { loopbackRedirect } from 'rxmcp/auth/node';
import { http } from 'rxmcp/http';
import { sse } from 'rxmcp/sse';
import { tools } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { webSocket } from 'rxmcp/websocket';
import { expect, it, onTestFinished } from 'vitest';
import { browse, startAuthorizationServer } from '../../../vitest.oidc.js';
import { readArguments } from '../src/arguments.js';
import { tempFolder } from './desk.js';
import { useProgram } from './program.js';

const start = useProgram();

it('protects each endpoint with the tokens of an authorization server', async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.close());
  const args = ['--http', '0', '--sse', '0', '--ws', '0', '--root', await tempFolder()];
  const { listening } = start([...args, '--auth-issuer', server.issuer, '--auth-scopes', 'mcp:tools']);
  const urls = await listening(3);
  for (const [at, transport] of [http, sse, webSocket].entries()) {
    const url = urls[at] ?? '';
    const { origin, pathname, href } = new URL(url.replace(/^ws/, 'http'));
    const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
    expect(await metadata.json()).toMatchObject({ resource: href, scopes_supported: ['mcp:tools'] });
    const auth = oauth({ redirect: loopbackRedirect({ open: (page) => void browse(page) }) });
    const dialled: Transport = transport(url, { auth });
    const remote = await defineClient({ info: { name: 'desk', version: '1.0.0' } }).connect(dialled);
    onTestFinished(() => remote.close());
    const { content } = await once(tools(remote).call('calculate_sum', { a: 40, b: 2 }));
    expect(content).toMatchObject([{ type: 'text', text: '42' }]);
  }
  const [url = '', , socket = ''] = urls;
  const status = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(url, { method: 'PUT', headers })).status;
  };
  expect(await status(await server.token('https://other.example/mcp', 'mcp:tools'))).toBe(401);
  expect(await status(await server.token(url, 'mcp:write'))).toBe(403);
  expect(await status(await server.token(url, 'mcp:tools'))).toBe(405);
  const route = `${socket.replace(/^ws/, 'http')}/ticket`;
  const headers = { authorization: `Bearer ${await server.token(url, 'mcp:tools')}` };
  expect(await (await fetch(route, { method: 'POST', headers })).json()).toMatchObject({ expires_in: 30 });
});

it('takes tokens for one audience, whatever the URL', async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.close());
  const audience = 'https://mcp.example/all';
  const args = ['--http', '0', '--root', await tempFolder(), '--auth-issuer', server.issuer];
  const [url = ''] = await start([...args, '--auth-audience', audience]).listening(1);
  const headers = { authorization: `Bearer ${await server.token(audience)}` };
  expect((await fetch(url, { method: 'PUT', headers })).status).toBe(405);
});

it.each([
  [['--auth-issuer', 'https://a.example'], {}, '--auth-issuer needs --http, --sse or --ws'],
  [['--http', '0', '--auth-audience', 'x'], {}, '--auth-audience and --auth-scopes need --auth-issuer'],
  [
    ['--http', '0', '--auth-issuer', 'https://a.example'],
    { RXMCP_TOKENS: '{"ada":"t"}' },
    'and no RXMCP_TOKENS',
  ],
])('rejects %j with %j', (args, env, message) => {
  expect(() => readArguments(args, env)).toThrow(message);
});

it('ends with code 2 where the issuer is not safe', async () => {
  const args = ['--http', '0', '--root', await tempFolder(), '--auth-issuer', 'http://login.example'];
  const program = start(args);
  expect(await program.ended).toBe(2);
  expect(program.stderr()).toContain('It must use https:');
});
