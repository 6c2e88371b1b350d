import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryTarget, isDisabled } from '../src/target/config/entry-target.js';
import { type HostFile, hostFiles, type Machine } from '../src/target/config/hosts.js';
import { readConfig } from '../src/target/config/read-config.js';
import { expanded } from '../src/target/config/variables.js';
import { tempFolder } from './temp-folder.js';

const from: HostFile = { host: 'rxmcp', file: 'mcp.json', folder: '/work' };

describe('the config files of hosts', () => {
  const files = (machine: Partial<Machine>): readonly string[] =>
    hostFiles({ platform: 'linux', home: '/home/ada', project: '/work', env: {}, ...machine }).map(
      ({ host, file }) => `${host}: ${file}`,
    );

  it('are those of Linux', () => {
    expect(files({})).toEqual([
      'rxmcp: /work/mcp.json',
      'Claude Code: /work/.mcp.json',
      'Cursor: /work/.cursor/mcp.json',
      'VS Code: /work/.vscode/mcp.json',
      'OpenCode: /work/opencode.json',
      'OpenCode: /work/opencode.jsonc',
      'Claude Code: /home/ada/.claude.json',
      'Claude Desktop: /home/ada/.config/Claude/claude_desktop_config.json',
      'Cursor: /home/ada/.cursor/mcp.json',
      'VS Code: /home/ada/.config/Code/User/mcp.json',
      'Windsurf: /home/ada/.codeium/windsurf/mcp_config.json',
      'OpenCode: /home/ada/.config/opencode/opencode.json',
      'OpenCode: /home/ada/.config/opencode/opencode.jsonc',
    ]);
  });

  it('are those of macOS', () => {
    expect(files({ platform: 'darwin', home: '/Users/ada' })).toEqual(
      expect.arrayContaining([
        'Claude Desktop: /Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
        'VS Code: /Users/ada/Library/Application Support/Code/User/mcp.json',
        'OpenCode: /Users/ada/.config/opencode/opencode.json',
      ]),
    );
  });

  it('are those of Windows', () => {
    const env = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' };
    expect(files({ platform: 'win32', home: 'C:\\Users\\ada', project: 'D:\\work', env })).toEqual(
      expect.arrayContaining([
        'rxmcp: D:\\work\\mcp.json',
        'Claude Desktop: C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
        'VS Code: C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
        'Windsurf: C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
        'OpenCode: C:\\Users\\ada\\.config\\opencode\\opencode.json',
      ]),
    );
  });

  it('are moved by the variables of their hosts', () => {
    const env = { XDG_CONFIG_HOME: '/xdg', CLAUDE_CONFIG_DIR: '/claude', OPENCODE_CONFIG: '/custom.json' };
    expect(files({ env })).toEqual(
      expect.arrayContaining([
        'Claude Code: /claude/.claude.json',
        'VS Code: /xdg/Code/User/mcp.json',
        'OpenCode: /custom.json',
        'OpenCode: /xdg/opencode/opencode.json',
      ]),
    );
  });
});

describe('a config file', () => {
  const read = async (text: string, host = 'rxmcp'): Promise<readonly string[]> => {
    const file = join(await tempFolder(), 'mcp.json');
    await writeFile(file, text);
    const entries = await readConfig({ ...from, host, file }).catch((error: unknown) => {
      throw new Error((error as Error).message.replace(file, 'FILE'));
    });
    return (entries ?? []).map(({ name }) => name);
  };

  it.each([
    ['mcpServers', '{ "mcpServers": { "a": {} } }'],
    ['servers of VS Code', '{ "inputs": [], "servers": { "a": {} } }'],
    ['mcp of OpenCode', '{ "mcp": { "a": {} }, "model": "x" }'],
    ['comments and trailing commas', '\uFEFF{ // one\n "mcpServers": { /* two */ "a": {}, }, }'],
  ])('has servers in the form of %s', async (_what, text) => expect(await read(text)).toEqual(['a']));

  it('has the servers of the project first', async () => {
    const projects = { '/work': { mcpServers: { mine: {} } }, '/other': { mcpServers: { theirs: {} } } };
    expect(await read(JSON.stringify({ mcpServers: { all: {} }, projects }), 'Claude Code')).toEqual([
      'mine',
      'all',
    ]);
  });

  it('of a host may have no servers', async () => expect(await read('{}', 'OpenCode')).toEqual([]));

  it('is not there', async () => {
    expect(await readConfig({ ...from, file: join(await tempFolder(), 'no.json') })).toBeUndefined();
  });

  it.each([
    ['{\n  "mcpServers": {\n    "a" {}\n  }\n}', 'FILE:3:9 is not valid JSON: colon expected'],
    ['{ "a": 1', 'FILE:1:9 is not valid JSON: close brace expected'],
    ['{\r\n"a": tru }', 'FILE:2:6 is not valid JSON: invalid symbol'],
    ['', 'FILE:1:1 is not valid JSON: value expected'],
    ['[]', 'FILE is not a JSON object'],
    ['{}', 'FILE has no object "mcpServers" or "servers"'],
    ['{"mcpServer": {}}', 'FILE has no object "mcpServers" or "servers". Did you mean mcpServers?'],
  ])('%j fails with the place', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe('an entry', () => {
  const target = (value: unknown, env: NodeJS.ProcessEnv = {}): unknown =>
    entryTarget({ name: 'demo', from, value }, env);

  it('starts a command', () => {
    const value = {
      command: '${DIR:-/bin}/x',
      args: ['--key', '${env:KEY}'],
      env: { A: '${KEY}' },
      cwd: '/',
    };
    expect(target(value, { KEY: 'k' })).toEqual({
      kind: 'command',
      command: '/bin/x',
      args: ['--key', 'k'],
      env: { A: 'k' },
      cwd: '/',
    });
  });

  it('has the form of OpenCode', () => {
    const value = { type: 'local', command: ['npx', 'x'], environment: { A: '{env:KEY}' } };
    expect(target(value, { KEY: 'k' })).toEqual({
      kind: 'command',
      command: 'npx',
      args: ['x'],
      env: { A: 'k' },
    });
  });

  it.each([
    [{ url: 'https://a/${PATH_OF:-mcp}', headers: { x: '${KEY}' } }, 'https://a/mcp'],
    [{ serverUrl: 'https://a/mcp', headers: { x: '${KEY}' } }, 'https://a/mcp'],
    [{ type: 'sse', url: 'https://a/sse', headers: { x: '${KEY}' } }, 'sse+https://a/sse'],
  ])('%j has a URL', (value, url) => {
    expect(target(value, { KEY: 'k' })).toEqual({ kind: 'url', url, headers: { x: 'k' } });
  });

  it('names the variable that is not set', () => {
    const value = { command: 'x', env: { TOKEN: 'a ${KEY}' } };
    expect(() => target(value)).toThrow(
      '"demo" in mcp.json: the variable KEY of "env.TOKEN" is not set. Set it, or write ${KEY:-default}',
    );
    expect(() => target({ command: 'x', args: ['a', '${input:key}'] })).toThrow('"args[1]" asks the user');
  });

  it.each([
    ['text', 'it must be an object, got a string'],
    [
      { command: 'x', args: 's3cret' },
      '"args" must be an array of strings, such as ["-y", "a-server"], got a string',
    ],
    [
      { command: 'x', args: ['a', 1] },
      '"args" must be an array of strings, such as ["-y", "a-server"], got an array',
    ],
    [{ command: 5 }, '"command" must be a string that is not empty, got a number'],
    [{ command: [] }, '"command" must be a string that is not empty, got an array'],
    [{ command: 'x', env: ['a'] }, '"env" must be an object whose values are strings, got an array'],
    [{ command: 'x', cwd: null }, '"cwd" must be a string, got null'],
    [{ url: {} }, '"url" must be a string, got an object'],
    [{ comand: 'x' }, 'it has neither a "command" nor a "url"; is "comand" meant as "command"?'],
    [{}, 'it has neither a "command" nor a "url"'],
  ])('%j is invalid', (value, problem) => {
    expect(() => target(value)).toThrow(`"demo" in mcp.json: ${problem}`);
    expect(() => target(value)).not.toThrow('s3cret');
  });

  it('shows no value of the config in an error', () => {
    for (const value of [
      { command: 'x', env: { A: 1, B: 's3cret' } },
      { url: 'http://a', headers: { 'b c': 's3cret' } },
    ])
      expect(() => target(value)).toThrow(/^(?!.*s3cret)/s);
  });

  it('may be disabled in its host', () => {
    expect(
      [{ disabled: true }, { enabled: false }, {}].map((value) => isDisabled({ name: 'x', from, value })),
    ).toEqual([true, true, false]);
  });
});

describe('variables', () => {
  const scope = { env: { A: '1', EMPTY: '' }, folder: '/work/app', where: 'here' };

  it.each([
    ['${A}-${A}', '1-1'],
    ['${EMPTY}|${EMPTY:-d}|${B:-}', '|d|'],
    ['${workspaceFolder}/${workspaceFolderBasename}', '/work/app/app'],
    ['$A ${} ${a b} $${A}', '$A ${} ${a b} $1'],
  ])('%s', (text, wanted) => expect(expanded(text, 'x', scope)).toBe(wanted));

  it('leave all other text as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/\$\{|\{env:/.test(text)),
        (text) => expanded(text, 'x', scope) === text,
      ),
    );
  });

  it('are not expanded in their own values', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (text) => expanded('<${A}>', 'x', { ...scope, env: { A: text } }) === `<${text}>`,
      ),
    );
  });
});
