import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';

const bin = join(repository, 'packages/rxmcp/dist/bin/rxmcp.js');
const client = join(repository, 'apps/client/dist/main.js');
const server = join(repository, 'apps/server/dist/main.js');
const folder = join(repository, 'packages/jsonrpc/src');

beforeAll(() => {
  // As npm would run it: by its first line.
  accessSync(bin, constants.X_OK);
});

function run(program: string, args: readonly string[]): Promise<{ code: number; lines: unknown[] }> {
  return new Promise((resolve) => {
    const all = [...args, '--', process.execPath, server, '--root', folder];
    execFile(program, all, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      resolve({
        code: error === null ? 0 : Number(error.code),
        lines: lines.map((line) => JSON.parse(line) as unknown),
      });
    });
  });
}

it('says which Node.js it needs', async () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } })`;
  const ended = new Promise((resolve) => {
    execFile(process.execPath, ['--import', old, bin, '--help'], (error, _stdout, stderr) => {
      resolve([error?.code, stderr.split('\n')[0]]);
    });
  });
  expect(await ended).toEqual([2, 'rxmcp needs Node.js 20.19 or newer, this is 18.20.8. Update Node.js']);
});

const older = exhaustive ? ['2025-06-18', '2025-03-26', '2024-11-05'] : [];
const programs = { rxmcp: bin, 'apps/client': client };

// The tests of apps/client try the program; here is what was built of it.
const tried = exhaustive ? (['rxmcp', 'apps/client'] as const) : (['rxmcp'] as const);
describe.each(tried)('%s with the reference server', (name) => {
  const ask = (...args: readonly string[]): ReturnType<typeof run> =>
    name === 'rxmcp' ? run(programs[name], args) : run(process.execPath, [programs[name], ...args]);

  // In `npm test` the tests of `rxmcp serve` have the modern era.
  it.each(exhaustive ? ['modern', 'legacy', ...older] : ['legacy'])('speaks %s', async (protocol) => {
    const to = ['--protocol', protocol];
    const [sum, read, missing] = await Promise.all([
      ask('call', 'calculate_sum', '{"a":20,"b":22}', ...to),
      ask('read', pathToFileURL(join(folder, 'index.ts')).href, ...to),
      ask('read', pathToFileURL(join(folder, 'nothing.ts')).href, ...to),
    ]);
    expect(sum).toMatchObject({ code: 0, lines: [{ content: [{ type: 'text', text: '42' }] }] });
    expect(JSON.stringify(read.lines)).toContain('defaultJsonLimits');
    expect(read.code).toBe(0);
    expect(missing).toEqual({ code: 1, lines: [] });
  });
});
