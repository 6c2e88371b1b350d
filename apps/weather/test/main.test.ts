import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { connect, textOf } from 'rxmcp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerEntry } from '../src/config/server-entry.js';
import { tempFolder, usePrograms } from './program.js';

const { path, run } = usePrograms();

interface Config {
  readonly mcpServers: { readonly weather: ServerEntry };
}

describe('over stdio', () => {
  it('offers both tools, and has recorded responses', async () => {
    const printed: string[] = [];
    const stderr = (line: string): void => void printed.push(line);
    const remote = await connect({ command: process.execPath, args: [path('main'), '--offline'], stderr });
    onTestFinished(() => remote.close());
    expect((await remote.tools.list()).map(({ name }) => name)).toEqual(['get-alerts', 'get-forecast']);
    expect(textOf(await remote.tools.call('get-alerts', { state: 'TX' }))).toContain('Heat Advisory');
    const outside = await remote.tools.call('get-forecast', { latitude: 51.5072, longitude: -0.1276 });
    expect(outside).toMatchObject({ isError: true });
    await expect.poll(() => printed).toEqual(['GET "/points/51.5072,-0.1276" failed: status 404']);
  });

  it('ends with exit code 0 at the end of input', async () => {
    expect(await run('main', ['--offline'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('--http', () => {
  it('serves at a URL', async () => {
    const child = spawn(process.execPath, [path('main'), '--offline', '--http', '0']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
    const remote = await connect(line.replace('listening ', ''));
    expect(textOf(await remote.tools.call('get-alerts', { state: 'CA' }))).toContain('No active alerts');
    await remote.close();
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  it('a port that is taken ends it with exit code 1, an invalid one with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const port = String((other.address() as AddressInfo).port);
    const taken = await run('main', ['--http', port]);
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain(port);
    expect(await run('main', ['--http', 'x'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('--print-config', () => {
  it('prints the entry with absolute paths, and the files of all systems on standard error', async () => {
    const { code, stdout, stderr } = await run('main', ['--offline', '--print-config', 'claude-desktop']);
    expect(code).toBe(0);
    const { command, args } = (JSON.parse(stdout) as Config).mcpServers.weather;
    expect([command, args]).toEqual([process.execPath, [path('main'), '--offline']]);
    expect([command, args[0] ?? ''].every(isAbsolute)).toBe(true);
    expect(stderr).toMatch(/macOS +~\/Library\/Application Support\/Claude\/claude_desktop_config\.json\n/);
    expect(stderr).toMatch(/Windows +%APPDATA%\\Claude\\claude_desktop_config\.json\n/);
    expect(stderr).toMatch(/Linux +~\/\.config\/Claude\/claude_desktop_config\.json\n/);
  });
});

describe('--write-config', () => {
  // A host has another working directory and passes few variables.
  it('writes the file of Claude Desktop, which starts the server as a host does', async () => {
    const folder = await tempFolder();
    const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), APPDATA: folder };
    const written = await run('main', ['--offline', '--write-config'], { env });
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const [file = ''] = /^.*claude_desktop_config\.json(?=: created\.)/.exec(written.stdout) ?? [];
    const { command, args } = (JSON.parse(await readFile(file, 'utf8')) as Config).mcpServers.weather;
    const host = spawn(command, args, { cwd: folder, env: { HOME: folder } });
    onTestFinished(() => void host.kill('SIGKILL'));
    const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
    const ask = async (message: object): Promise<unknown> => {
      host.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return JSON.parse((await lines.next()).value as string);
    };
    const clientInfo = { name: 'claude-ai', version: '0.1.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    expect(await ask({ id: 0, method: 'initialize', params })).toMatchObject({
      id: 0,
      result: { serverInfo: { name: 'weather' } },
    });
    host.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const call = { name: 'get-alerts', arguments: { state: 'CA' } };
    expect(await ask({ id: 1, method: 'tools/call', params: call })).toMatchObject({
      id: 1,
      result: { content: [{ type: 'text', text: 'No active alerts for this state.' }] },
    });
    host.stdin.end();
    expect((await once(host, 'close'))[0]).toBe(0);
  });

  it('a file with invalid JSON is refused with exit code 1, and left alone', async () => {
    const file = join(await tempFolder(), 'config.json');
    await writeFile(file, '{\n  "mcpServers": [\n}');
    const { code, stdout, stderr } = await run('main', ['--write-config', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `write of config "${file}" failed: invalid JSON at line 3, column 1. Correct it first. The file is unchanged\n`,
    );
    expect(await readFile(file, 'utf8')).toBe('{\n  "mcpServers": [\n}');
  });
});

describe('the command line', () => {
  it.each([
    ['--help', 'usage: main.js [--offline]'],
    ['--version', `${packageJson.version}\n`],
  ])('%s is on standard output', async (option, text) => {
    const { code, stdout, stderr } = await run('main', [option]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(text);
  });

  it('an unknown option ends it with exit code 2', async () => {
    expect(await run('main', ['--ofline'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'unknown option "--ofline", did you mean "--offline"?\nmain.js --help shows the usage\n',
    });
  });
});
