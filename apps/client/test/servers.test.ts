import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, server } = useCli();

/** A home and a project with config files. */
async function machine(
  files: Readonly<Record<string, unknown>>,
): Promise<{ cwd: string; env: { HOME: string } }> {
  const place = await tempFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(place, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  await mkdir(join(place, 'project'), { recursive: true });
  return { cwd: join(place, 'project'), env: { HOME: join(place, 'home') } };
}

const launch = (more: object = {}): object => {
  const [, program, ...words] = server();
  return { command: program, args: words, ...more };
};

it('servers of hosts are called by name, and listed with their files', async () => {
  const { cwd, env } = await machine({
    'home/.config/Claude/claude_desktop_config.json': { mcpServers: { desk: launch() } },
    'home/.codeium/windsurf/mcp_config.json': {
      mcpServers: { wind: { serverUrl: 'https://a.example/mcp?key=s3cret', headers: { x: 's3cret' } } },
    },
    'home/.config/opencode/opencode.json': { mcp: { open: { command: ['x', 's3cret'], enabled: false } } },
    'project/.vscode/mcp.json': {
      servers: { code: launch({ env: { GREETING: '${WHO:-hello}' } }), desk: {} },
    },
  });
  const called = await run(['call', 'env', 'code'], { cwd, env });
  expect(called.stderr).not.toContain('no server');
  expect(called.stdout).toContain('hello');
  const { code, lines, stdout } = await run(['servers'], { cwd, env });
  expect(lines).toMatchObject([
    { name: 'code', host: 'VS Code', file: join(cwd, '.vscode/mcp.json'), command: process.execPath },
    { name: 'desk', host: 'VS Code' },
    { name: 'desk', host: 'Claude Desktop', isHidden: true },
    { name: 'wind', host: 'Windsurf', url: 'https://a.example/mcp' },
    { name: 'open', host: 'OpenCode', command: 'x', isDisabled: true },
  ]);
  expect(stdout).not.toContain('s3cret');
  expect(code).toBe(0);
});

it('an unknown name shows the nearest one', async () => {
  const { cwd, env } = await machine({ 'home/.cursor/mcp.json': { mcpServers: { weather: launch() } } });
  const { code, stderr } = await run(['tools', 'wether'], { cwd, env });
  expect(stderr).toContain(
    'no server "wether" in ./mcp.json and the config files of hosts. Did you mean weather?',
  );
  expect(code).toBe(2);
});

it('a file with a syntax error is named with line and column, where the name may be in it', async () => {
  const { cwd, env } = await machine({
    'home/.cursor/mcp.json': '{\n  "mcpServers": {\n    "a": {},\n    b\n  }\n}',
    'home/.claude.json': { mcpServers: { fine: launch() } },
  });
  const { code, stdout, stderr } = await run(['tools', 'a'], { cwd, env });
  expect(stderr).toBe(
    `${join(env.HOME, '.cursor/mcp.json')}:4:5 is not valid JSON: invalid symbol. Correct the file\n`,
  );
  expect([code, stdout]).toEqual([6, '']);
  // A server of another file is not affected; the list says what is wrong.
  expect((await run(['call', 'echo', 'fine'], { cwd, env })).code).toBe(0);
  const listed = await run(['servers'], { cwd, env });
  expect(listed).toMatchObject({ code: 6, lines: [{ name: 'fine' }] });
  expect(listed.stderr).toContain(':4:5');
});

it('a variable that is not set is named, without a stack', async () => {
  const { cwd, env } = await machine({
    'project/mcp.json': { mcpServers: { a: launch({ env: { K: '${KEY}' } }) } },
  });
  const { code, stderr } = await run(['tools', 'a'], { cwd, env });
  expect(stderr).toMatch(
    /^"a" in \S+: the variable KEY of "env\.K" is not set\. Set it, or write \$\{KEY:-default\}\n$/,
  );
  expect(code).toBe(6);
  expect((await run(['tools', 'a', '--debug'], { cwd, env })).stderr).toMatch(/\n {4}at /);
});
