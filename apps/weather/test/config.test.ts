import promises, { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { claudeDesktopFile } from '../src/config/claude-desktop.js';
import { jsonError } from '../src/config/json-error.js';
import { textOfConfig, withServer } from '../src/config/server-entry.js';
import { ConfigError, writeConfig } from '../src/config/write-config.js';
import { tempFolder } from './program.js';

const entry = { command: '/usr/bin/node', args: ['/home/ada/weather/main.js'] };
const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

it('escapes the paths of Windows', () => {
  const windows = { command: 'C:\\Program Files\\nodejs\\node.exe', args: ['D:\\new\\main.js'] };
  const text = textOfConfig(withServer('weather', windows));
  expect(text).toContain('"command": "C:\\\\Program Files\\\\nodejs\\\\node.exe"');
  expect(JSON.parse(text)).toEqual({ mcpServers: { weather: windows } });
});

it.each<[NodeJS.Platform, string, Record<string, string>, string]>([
  ['darwin', '/Users/ada', {}, '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
  ['linux', '/home/ada', {}, '/home/ada/.config/Claude/claude_desktop_config.json'],
  ['linux', '/home/ada', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Claude/claude_desktop_config.json'],
  ['win32', 'C:\\Users\\ada', { APPDATA: 'E:\\Roaming' }, 'E:\\Roaming\\Claude\\claude_desktop_config.json'],
  ['win32', 'C:\\Users\\ada', {}, 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
])('the file of Claude Desktop on %s of %s with %j', (platform, home, env, file) => {
  expect(claudeDesktopFile({ platform, home, env })).toBe(file);
});

describe('writeConfig', () => {
  it('creates a missing file with its folders', async () => {
    const file = join(await tempFolder(), 'a', 'b', 'config.json');
    expect(await writeConfig(file, 'weather', entry)).toBe('created');
    expect(await read(file)).toEqual({ mcpServers: { weather: entry } });
    expect(await readdir(join(file, '..'))).toEqual(['config.json']);
  });

  it('keeps all other content of a file, and the previous file in FILE.bak', async () => {
    const folder = await tempFolder();
    const file = join(folder, 'config.json');
    const before = {
      theme: { dark: true },
      mcpServers: {
        notes: { command: 'notes', env: { TOKEN: 'x' } },
        weather: { command: 'old', args: ['--old'], env: { TZ: 'UTC' }, disabled: true },
      },
      last: null,
    };
    const text = `\uFEFF${JSON.stringify(before)}`;
    await writeFile(file, text);
    expect(await writeConfig(file, 'weather', entry)).toBe('changed');
    expect(await read(file)).toEqual({
      ...before,
      mcpServers: {
        notes: before.mcpServers.notes,
        weather: { ...entry, env: { TZ: 'UTC' }, disabled: true },
      },
    });
    expect(await readFile(`${file}.bak`, 'utf8')).toBe(text);
    expect((await readdir(folder)).sort()).toEqual(['config.json', 'config.json.bak']);
  });

  it('a second time nothing is written, so that FILE.bak is still the file before the first', async () => {
    const file = join(await tempFolder(), 'config.json');
    await writeFile(file, '{"mcpServers":{}}');
    await writeConfig(file, 'weather', entry);
    expect(await writeConfig(file, 'weather', entry)).toBe('unchanged');
    expect(await readFile(`${file}.bak`, 'utf8')).toBe('{"mcpServers":{}}');
  });

  it('a server named "__proto__" stays', async () => {
    const file = join(await tempFolder(), 'config.json');
    await writeFile(file, '{"mcpServers":{"__proto__":{"command":"x"}}}');
    await writeConfig(file, 'weather', entry);
    expect(await readFile(file, 'utf8')).toContain('"__proto__": {\n      "command": "x"');
  });

  it('keeps the permissions of a file, and the link to one', async () => {
    const folder = await tempFolder();
    const [file, real] = [join(folder, 'config.json'), join(folder, 'dotfiles', 'real.json')];
    await mkdir(join(folder, 'dotfiles'));
    await writeFile(real, '{}');
    await chmod(real, 0o640);
    await symlink(real, file);
    await writeConfig(file, 'weather', entry);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(await read(real)).toEqual({ mcpServers: { weather: entry } });
    expect(await readFile(`${file}.bak`, 'utf8')).toBe('{}');
  });

  it.each([
    ['{\n  "mcpServers": {},\n}', 'invalid JSON at line 3, column 1. Correct it first'],
    ['', 'invalid JSON at line 1, column 1. Correct it first'],
    ['[]', 'it must be a JSON object, not []'],
    ['{"mcpServers":[]}', '"mcpServers" is not an object'],
    ['{"mcpServers":{"weather":1}}', '"weather" in "mcpServers" is not an object'],
  ])('refuses %j and leaves it unchanged', async (text, cause) => {
    const folder = await tempFolder();
    const file = join(folder, 'config.json');
    await writeFile(file, text);
    await expect(writeConfig(file, 'weather', entry)).rejects.toThrow(
      new ConfigError(`write of config "${file}" failed: ${cause}. The file is unchanged`),
    );
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('refuses a file that is not UTF-8', async () => {
    const file = join(await tempFolder(), 'config.json');
    await writeFile(file, Buffer.from('{"name":"\xe9"}', 'latin1'));
    await expect(writeConfig(file, 'weather', entry)).rejects.toThrow(/not valid for encoding utf-8/);
  });

  it('leaves the file and nothing else behind when it cannot be replaced', async () => {
    const folder = await tempFolder();
    const file = join(folder, 'config.json');
    await writeFile(file, '{}');
    const rename = vi.spyOn(promises, 'rename').mockRejectedValue(new Error('EIO: i/o error'));
    syncBuiltinESMExports();
    onTestFinished(() => {
      rename.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(writeConfig(file, 'weather', entry)).rejects.toThrow(
      /failed: EIO: i\/o error\. The file is/,
    );
    expect(await readFile(file, 'utf8')).toBe('{}');
    expect((await readdir(folder)).sort()).toEqual(['config.json', 'config.json.bak']);
  });

  it('refuses a folder, and leaves nothing in it', async () => {
    const folder = await tempFolder();
    await expect(writeConfig(folder, 'weather', entry)).rejects.toThrow(`write of config "${folder}" failed`);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('jsonError finds where a text is not JSON', () => {
  it.each([
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['{a:1}', 1, 2],
    ["{'a':1}", 1, 2],
    ['{"a":1\n"b":2}', 2, 1],
    ['{"a":[1,\n  2\n', 3, 1],
    ['{"a":[1}', 1, 8],
    ['{"a":{"b":1]}', 1, 12],
    ['[1,]', 1, 4],
    ['{"a":x}', 1, 6],
    ['{"a":"C:\\Users"}', 1, 6],
    ['{"a":"un\nclosed"}', 1, 6],
    ['{"a":01}', 1, 7],
    ['{} {}', 1, 4],
    ['// comment\n{}', 1, 1],
    ['{"a":1,"a"}', 1, 11],
    ['', 1, 1],
  ])('%j', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonError(text)).toEqual({ line, column });
  });

  it('skips all that is valid', () => {
    const text = '{"s":"\\u00e9\\n\u007f😀","n":[-1.5e+3,0,10],"w":[true,false,null,[],{}],"o":{"":{}}}';
    expect(() => JSON.parse(text)).not.toThrow();
    expect(jsonError(`${text}x`)).toEqual({ line: 1, column: text.length + 1 });
  });
});
