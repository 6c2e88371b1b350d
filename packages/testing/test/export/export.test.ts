import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progress } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { concatMap, of, timer } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Recording } from '../../src/index.js';
import { exportTest, record, virtualTime, wireMarbles } from '../../src/index.js';
import { drawn } from '../../src/export/draw.js';
import { sliceOf } from '../../src/export/slice.js';

const info = { name: 'x', version: '1.0.0' };
const greeting = (said: string): Server =>
  defineServer({
    info,
    offers: [
      offerMethod('own/greet', {}, ({ name }) =>
        timer(20).pipe(
          concatMap(() => of(progress(1), { said: `${said}, ${String(name)}!`, "it's": '\u2028"\\' })),
        ),
      ),
    ],
  });

/** A session of the newest revision, or of one with a handshake, taken at one end or at the other. */
async function taken(version: string, end: 'client' | 'server'): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const atServer = record(greeting('Hello'));
  const serving = link.serve(atServer.recorded);
  const atClient = record(link);
  const remote = await time.run(defineClient({ info, versions: [version] }).connect(atClient.recorded));
  for (const name of ['Ada', 'Bob']) await time.run(once(remote.request('own/greet', { name })));
  await time.run(remote.close());
  await time.run(serving.close());
  return (end === 'client' ? atClient : atServer).recording();
}

const files = {
  server: (said: string) => `
    import { defineServer, offerMethod, progress } from '@rxmcp/core';
    import { concatMap, of, timer } from 'rxjs';
    const greet = ({ name }) =>
      timer(20).pipe(concatMap(() => of(progress(1), { said: '${said}, ' + name + '!', "it's": '\\u2028"\\\\' })));
    export const server = defineServer({ info: { name: 'x', version: '1.0.0' }, offers: [offerMethod('own/greet', {}, greet)] });`,
  client: (second: string) => `
    import { defineClient, once } from '@rxmcp/core';
    export default async (transport) => {
      const remote = await defineClient({ info: { name: 'x', version: '1.0.0' }, versions: ['2025-11-25'] }).connect(transport);
      for (const name of ['Ada', '${second}']) await once(remote.request('own/greet', { name }));
      await remote.close();
    };`,
  config: (source: string) => `
    const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];
    export default {
      resolve: { conditions, alias: { '@rxmcp/testing': ${JSON.stringify(source)} } },
      ssr: { resolve: { conditions } },
      test: { include: ['*.test.js'], testTimeout: 30_000 },
    };`,
};

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs vitest for real in a folder of its own. */
async function ran(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-export-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const own = join(import.meta.dirname, '../..');
  await symlink(join(own, 'node_modules'), join(folder, 'node_modules'));
  const all = {
    ...sources,
    'vitest.config.js': files.config(join(own, 'src/index.ts')),
    'package.json': '{"type":"module"}',
  };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const vitest = join(own, 'node_modules/vitest/vitest.mjs');
  const report = await new Promise<Report>((resolve, reject) => {
    const { VITEST: _, ...env } = process.env;
    execFile(
      process.execPath,
      [vitest, 'run', '--root', folder, '--reporter', 'json', '--no-file-parallelism', '--no-isolate'],
      { cwd: folder, env },
      (_error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report);
        } catch {
          reject(new Error(`${stdout}\n${stderr}`));
        }
      },
    );
  });
  return Object.fromEntries(
    report.testResults.map(({ name, assertionResults: [first] }) => [
      name.slice(folder.length + 1),
      first?.status === 'passed' ? 'passed' : (first?.failureMessages[0]?.split('\n')[0] ?? 'nothing ran'),
    ]),
  );
}

describe('an exported test', () => {
  it('runs, passes, and fails when something is altered', { timeout: 120_000 }, async () => {
    const [modern, legacy] = [await taken('2026-07-28', 'server'), await taken('2025-11-25', 'client')];
    const about = (name: string, subject: string): Parameters<typeof exportTest>[1] => ({
      name,
      subject: { import: subject === 'client' ? 'default' : 'server', from: `./${name}.js` },
    });
    const served = exportTest(modern, about('server', 'server'));
    const results = await ran({
      'server.js': files.server('Hello'),
      'server.test.js': served,
      'changed.js': files.server('Good day'),
      'changed.test.js': exportTest(modern, about('changed', 'server')),
      'late.test.js': served.replace(' 19ms ', ' 18ms '),
      'untimed.test.js': exportTest(modern, { ...about('server', 'server'), timed: false }),
      'client.js': files.client('Bob'),
      'client.test.js': exportTest(legacy, about('client', 'client')),
      'eve.js': files.client('Eve'),
      'eve.test.js': exportTest(legacy, about('eve', 'client')),
    });
    expect(results).toEqual({
      'server.test.js': 'passed',
      'untimed.test.js': 'passed',
      'client.test.js': 'passed',
      'changed.test.js': expect.stringContaining(
        'result.said: Hello, Ada! was recorded, Good day, Ada! came',
      ) as string,
      'late.test.js': expect.stringContaining('instead of') as string,
      'eve.test.js': expect.stringContaining('params.name: Bob was recorded, Eve came') as string,
    });
  });

  it.each(['2026-07-28', '2025-11-25', '2024-11-05'])(
    'may be a part, which stands by itself, at %s',
    async (version) => {
      const recording = await taken(version, 'server');
      const part = sliceOf(recording, { fromMs: 20, toMs: 45 });
      expect(JSON.stringify(part)).not.toMatch(/Ada/);
      const { diagram, frames } = drawn(part);
      expect(diagram).toMatch(/^\(?a.*19ms \(?c\|?\)?$/);
      await wireMarbles(({ expectWire }) => expectWire(greeting('Hello')).toBe(diagram, frames));
      const failing = wireMarbles(({ expectWire }) => expectWire(greeting('Hi')).toBe(diagram, frames));
      await expect(failing).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path: 'result.said' });
    },
  );

  it('says what cannot be', async () => {
    const recording = await taken('2025-11-25', 'server');
    expect(() => sliceOf(recording, { connection: 2 })).toThrow('no connection 2');
  });
});
