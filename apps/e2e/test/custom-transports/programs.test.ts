import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { defineClient, once as result } from 'rxmcp';
import { socket } from 'rxmcp/stdio/net';
import { tools } from 'rxmcp/tools';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../repository.js';

const main = (app: string): string => join(repository, 'apps', app, 'dist/main.js');
const example = join(repository, 'apps/example-transports/dist/custom-transport.js');

interface Program {
  readonly child: ChildProcess;
  /** Resolves with the port of the custom transport. */
  readonly port: Promise<number>;
  /** Resolves with the exit code and everything on standard error. */
  readonly ended: Promise<readonly [code: number, said: string]>;
}

function started(app: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [main(app), ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  const port = new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, digits] = /^listening tcp:\/\/127\.0\.0\.1:(\d+)$/m.exec(said) ?? [];
      if (digits !== undefined) resolve(Number(digits));
    });
  });
  const ended = once(child, 'close').then(([code]) => [code as number, said] as const);
  return { child, port, ended };
}

test('a client reaches a server over custom transports, through a bridge that uses one on both sides', async () => {
  const server = started('server', ['--transport', example, '--root', join(repository, 'docs/decisions')]);
  const behind = { EXAMPLE_PORT: String(await server.port) };
  const bridge = started('bridge', ['--transport', example, '--listen', example], behind);
  const client = defineClient({ info: { name: 'e2e', version: '1.0.0' } });
  const remote = await client.connect(socket({ port: await bridge.port }));
  const { content } = await result(tools(remote).call('calculate_sum', { a: 2, b: 3 }));
  expect(content).toEqual([{ type: 'text', text: '5' }]);
  await remote.close();
  for (const { child, ended } of [bridge, server]) {
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
});

test.each([
  ['server', '--transport', 'missing.mjs', 'Cannot find module'],
  ['server', '--transport', 'empty.mjs', 'it has no export "serve"'],
  ['server', '--transport', 'wrong.mjs', 'its "serve" must return a handle'],
  ['bridge', '--listen', 'empty.mjs', 'it has no export "serve"'],
  ['bridge', '--transport', 'empty.mjs', 'its default export must be a transport'],
  ['bridge', '--transport', 'wrong.mjs', 'its default export must be a transport'],
])('%s %s %s: exit code 2 and the reason', async (app, option, name, reason) => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-custom-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'empty.mjs'), '');
  await writeFile(
    join(folder, 'wrong.mjs'),
    'export const serve = () => ({});\nexport default () => ({});\n',
  );
  const target = option === '--listen' ? ['--', process.execPath] : [];
  const [code, said] = await started(app, [option, join(folder, name), ...target]).ended;
  expect(said).toContain(`${option} ${JSON.stringify(join(folder, name))} failed: `);
  expect(said).toContain(reason);
  expect(code).toBe(2);
});
