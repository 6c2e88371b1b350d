import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import type { Order, Report } from './hostile.js';
import { answers } from './hostile-answers.js';
import { floods } from './hostile-floods.js';
import { hostile } from './hostile-server.js';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
const source = ['--conditions=@rxmcp/source', '--import', 'tsx'];
/** What a heap may have grown by after an attack: code that was compiled, and what sockets keep for a while. */
const marginBytes = 8 * 1024 * 1024;

const attacks = [...answers, ...floods].flatMap((kind) =>
  kind.over.flatMap((over) => kind.eras.map((era) => ({ kind, name: kind.name, over, era }))),
);
const seed = Number(process.env['RXMCP_SEED'] ?? 1);
/** All kinds, or a part of them that the seed chooses. */
const every = exhaustive ? 1 : 50;
const chosen = attacks.filter((_, index) => index % every === seed % every);

/** The end of what the programs have printed. */
let said = '';

function start(flags: readonly string[], ...args: readonly string[]): ChildProcess {
  const program = spawn(process.execPath, [...flags, ...source, ...args], {
    cwd: fixtures,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  program.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000);
  });
  return program;
}

async function end(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL');
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
}

describe(`fault 36: a client with a heap of 128 MB, seed ${String(seed)}`, { timeout: 120_000 }, () => {
  let good: ChildProcess;
  let client: ChildProcess | undefined;
  let exited: Promise<unknown>;
  let port = 0;

  beforeAll(async () => {
    good = start([], 'server.ts');
    [{ port }] = (await once(good, 'message')) as [{ port: number }];
  });
  afterAll(async () => {
    await end(good);
    if (client !== undefined) await end(client);
  });

  /** The client, which is started again where an attack before has ended it. */
  async function running(): Promise<ChildProcess> {
    if (client?.exitCode === null && client.signalCode === null) return client;
    client = start(
      ['--max-old-space-size=128', '--expose-gc'],
      'client.ts',
      `http://127.0.0.1:${String(port)}/mcp`,
    );
    exited = once(client, 'exit');
    await once(client, 'message');
    return client;
  }

  it.each(chosen)('survives $name over $over, $era', async ({ kind, over, era }) => {
    const program = await running();
    const server = await hostile(kind, over, era);
    const order: Order = {
      target: server.target,
      method: kind.method,
      times: kind.times ?? 1,
      ends: kind.ends,
      forMs: kind.ends === undefined ? 1_000 : 20_000,
    };
    const reported = once(program, 'message').then(([report]) => report as Report);
    program.send(order);
    const report = await Promise.race([reported, exited.then(() => undefined)]);
    server.close();
    if (report === undefined) expect.unreachable(said);
    expect(report.goodFailures).toEqual([]);
    expect(report.calls).toBeGreaterThan(0);
    expect(report.outcomes.filter((code) => code.startsWith('UNTYPED'))).toEqual([]);
    if (kind.ends !== undefined) expect(report.outcomes).toContain(kind.ends);
    expect(report.grownBytes).toBeLessThan(marginBytes);
  });
});
