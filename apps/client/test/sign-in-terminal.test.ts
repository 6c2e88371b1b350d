import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { protectedServer } from './protected-server.js';
import { tempFolder } from './temp-folder.js';

const { program, start } = useCli();
const redirectUri = 'http://127.0.0.1:8976/callback';

/** A person at a terminal whose browser signs in. */
async function person(answer: string) {
  const { url, authorization } = await protectedServer();
  const folder = await tempFolder();
  const file = join(folder, 'address');
  const browser = join(folder, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > "${file}.new" && mv "${file}.new" "${file}"\n`, {
    mode: 0o755,
  });
  let isOver = false;
  onTestFinished(() => void (isOver = true));
  // The browser writes each address down, and this test goes there.
  const browsed = async (): Promise<void> => {
    for (;;) {
      const address = await readFile(file, 'utf8').catch(() => '');
      if (isOver) return;
      if (address !== '') {
        await rm(file);
        await browse(new URL(address));
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  void browsed();
  const call = (typed: readonly (readonly [string, string])[], tool = 'scopes') =>
    atTerminal(program('call', tool, url), {
      typed,
      env: { XDG_CONFIG_HOME: folder, BROWSER: browser },
    });
  return { url, authorization, call, first: await call([['sign in now: yes [y] or no [n]? ', answer]]) };
}

it('offers to sign in where a server requires it, and continues', async () => {
  const { url, authorization, call, first } = await person('y\n');
  expect(first.shown).toContain(`--- ${url} requires a sign-in at ${authorization.issuer}.\n`);
  expect(first.shown).toContain('mcp:tools\n');
  expect(first.code).toBe(0);
  expect(authorization.asked.get('/token')).toBe(1);
  const second = await call([]);
  expect(second).toMatchObject({ code: 0 });
  expect(second.shown).not.toContain('sign in now');
  expect(authorization.asked.get('/token')).toBe(1);
});

it('fails with the line that says how where the person declines', async () => {
  const { url, authorization, first } = await person('n\n');
  expect(first.shown.match(/sign in now/g)).toHaveLength(1);
  expect(first.shown).toContain(`Run: rxmcp login ${url}`);
  expect(first.code).toBe(3);
  expect(authorization.asked.get('/token')).toBeUndefined();
});

it('offers to sign in for more scopes where a call needs them, and fails with the line that says how otherwise', async () => {
  const { url, authorization, call } = await person('y\n');
  const ask = 'sign in now: yes [y] or no [n]? ';
  const declined = await call([[ask, 'n\n']], 'wipe');
  expect(declined.shown).toContain('It needs the scopes mcp:tools mcp:write.\n');
  // The rows of a long line have a mark.
  const line = declined.shown.replaceAll('\n  | ', ' ');
  expect(line).toContain(`Run: rxmcp login ${url} --scope mcp:tools --scope mcp:write`);
  expect(declined.code).toBe(1);
  const agreed = await call([[ask, 'y\n']], 'wipe');
  expect(agreed).toMatchObject({ code: 0 });
  expect(agreed.shown).toContain('wiped\n');
  expect(authorization.asked.get('/token')).toBe(2);
});

it('login --paste signs in with a browser on another machine', async () => {
  const { url, authorization } = await protectedServer();
  const running = start(['login', '--paste', url], { env: { XDG_CONFIG_HOME: await tempFolder() } });
  let shown = '';
  running.child.stderr.on('data', (part: string) => (shown += part));
  await running.shown(`which begins with ${redirectUri}? `);
  const last = await browse(new URL(/http:\S+&state=\S+/.exec(shown)?.[0] ?? ''), redirectUri);
  running.child.stdin.end(`nonsense\n${String(last?.href)}\n`);
  expect(await running.finished).toMatchObject({ code: 0, lines: [{ url, signedIn: true }] });
  expect(authorization.asked.get('/token')).toBe(1);
});
