import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { closedPort } from '../../../vitest.ports.js';
import { useCli } from './cli.js';
import { protectedServer } from './protected-server.js';
import { tempFolder } from './temp-folder.js';
import { urlServer } from './url-server.js';

const { start, run } = useCli();

/** A server that requires a sign-in, and a person who signs in with each address that a run shows. */
async function withPerson() {
  const { url, authorization } = await protectedServer();
  const folder = await tempFolder();
  // The browser is this test.
  const env = { XDG_CONFIG_HOME: folder, BROWSER: 'true' };
  const login = async (...args: readonly string[]) => {
    const running = start(['login', url, ...args], { env });
    let shown = '';
    running.child.stderr.on('data', (part: string) => (shown += part));
    await running.shown('&state=');
    await browse(new URL(/http:\S+/.exec(shown)?.[0] ?? ''));
    return running.finished;
  };
  return { url, env, login, authorization, file: join(folder, 'rxmcp', 'sign-ins.json') };
}

describe('a server that requires a sign-in', () => {
  it('is used by all commands after login, until logout', async () => {
    const { url, env, login, authorization, file } = await withPerson();
    const refused = await run(['call', 'scopes', url], { env });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(refused.stderr).toContain(`Run: rxmcp login ${url}`);
    expect(await run(['auth', url], { env })).toMatchObject({ code: 1, lines: [{ url, signedIn: false }] });

    const signedIn = await login('--json');
    const state = { url, signedIn: true, scopes: ['mcp:tools'] };
    expect(signedIn).toMatchObject({ code: 0, lines: [state] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run(['auth', url], { env })).toMatchObject({ code: 0, lines: [state] });
    const called = await run(['call', 'scopes', url], { env });
    expect(called).toMatchObject({ code: 0, lines: [{ content: [{ text: 'mcp:tools' }] }] });
    const socket = await run(['call', 'scopes', url.replace('http', 'ws')], { env });
    expect(socket).toMatchObject({ code: 0, lines: [{ content: [{ text: 'mcp:tools' }] }] });

    expect(await run(['logout', url], { env })).toMatchObject({ code: 0, lines: [{ url, signedIn: false }] });
    // The refresh token and the access token.
    expect(authorization.asked.get('/token/revocation')).toBe(2);
    expect((await run(['call', 'scopes', url], { env })).stderr).toContain('rxmcp login');
  });

  it('says which scopes a call needs where no person can agree', async () => {
    const { url, env, login } = await withPerson();
    await login();
    const refused = await run(['call', 'wipe', url], { env });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`Run: rxmcp login ${url} --scope mcp:tools --scope mcp:write`);
    await login('--scope', 'mcp:tools', '--scope', 'mcp:write');
    expect(await run(['call', 'wipe', url], { env })).toMatchObject({ code: 0 });
  });

  it('gives the scopes that the person asks for, in place of the sign-in before', async () => {
    const { url, env, login } = await withPerson();
    await login();
    expect(await login('--scope', 'mcp:tools', '--scope', 'mcp:write')).toMatchObject({ code: 0 });
    const called = await run(['call', 'scopes', url], { env });
    expect(called).toMatchObject({ code: 0, lines: [{ content: [{ text: 'mcp:tools mcp:write' }] }] });
  });

  it('keeps the sign-in before where a new one fails', async () => {
    const { url, env, login } = await withPerson();
    await login();
    const running = start(['login', url], { env });
    await running.shown('&state=');
    running.child.kill('SIGINT');
    expect(await running.finished).toMatchObject({ code: 130 });
    expect(await run(['auth', url], { env })).toMatchObject({ code: 0, lines: [{ signedIn: true }] });
  });

  it('renews a token automatically, and says how to sign in where the sign-in has ended', async () => {
    const { url, env, login, authorization, file } = await withPerson();
    await login();
    const ended = async (refreshToken?: string): Promise<void> => {
      const { version, entries } = JSON.parse(await readFile(file, 'utf8')) as {
        version: number;
        entries: Record<string, string>;
      };
      const kept = JSON.parse(entries[url] ?? '') as { tokens: object };
      const tokens = {
        ...kept.tokens,
        expiresAt: 1,
        ...(refreshToken === undefined ? {} : { refreshToken }),
      };
      entries[url] = JSON.stringify({ ...kept, tokens });
      await writeFile(file, JSON.stringify({ version, entries }));
    };
    await ended();
    expect(await run(['tools', url], { env })).toMatchObject({ code: 0 });
    expect(authorization.asked.get('/token')).toBe(2);
    await ended('one-that-nobody-knows');
    const refused = await run(['tools', url], { env });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`Run: rxmcp login ${url}`);
    expect(refused.stderr).not.toContain('one-that-nobody-knows');
  });

  it('is named where it cannot be reached, or has nothing to sign in to', async () => {
    const env = { XDG_CONFIG_HOME: await tempFolder(), BROWSER: 'true' };
    const { url } = await urlServer('http');
    const open = await run(['login', url], { env });
    expect(open.stderr).toBe(`${url} has no OAuth metadata, so there is nothing to sign in to\n`);
    expect(open.code).toBe(1);
    const { stderr, code } = await run(['login', `http://127.0.0.1:${closedPort}/mcp`], { env });
    expect(stderr).toBe(
      `cannot connect: http://127.0.0.1:${closedPort} could not be reached (ECONNREFUSED). Start the server, or correct the address: nothing listens there\n`,
    );
    expect(code).toBe(3);
  });

  it.each(['login', 'logout', 'auth'])('%s is for servers with an http url', async (name) => {
    const rule = 'only http and https servers have a sign-in';
    const webSocket = await run([name, 'ws://127.0.0.1:1/']);
    expect(webSocket).toMatchObject({ code: 2 });
    expect(webSocket.stderr).toContain(`"ws://127.0.0.1:1/" is not an http or https URL: ${rule}`);
    const command = await run([name, '--', 'node', 'server.js']);
    expect(command).toMatchObject({ code: 2 });
    expect(command.stderr).toContain(`"node server.js" is a command, not a URL: ${rule}`);
    expect((await run([name, '--help'])).stdout).not.toContain('wss');
  });
});
