import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';
import type { Order, Report } from './hostile.js';
import { answers } from './hostile-responses.js';
import { floods } from './hostile-floods.js';
import { hostile } from './hostile-server.js';
import { type Column, printTable, type Row } from './table.js';

const fixtures = join(inject('programs of e2e'), 'test/attacks/fixtures');
/** What a heap may have grown by after an attack: code that was compiled, and what sockets keep for a while. */
const marginBytes = 8 * 1024 * 1024;

const attacks = [...answers, ...floods].flatMap((kind) =>
  kind.over.flatMap((over) =>
    kind.eras
      .filter((era) => over !== 'sse' || era === 'legacy')
      .map((era) => ({ kind, name: kind.name, over, era })),
  ),
);
const seed = Number(process.env['RXMCP_SEED'] ?? 1);
/** All kinds, or a part of them that the seed chooses. */
const every = exhaustive ? 1 : 50;
const chosen = attacks.filter((_, index) => index % every === seed % every);

const columns: readonly Column[] = [
  ['grown', 'bytes'],
  ['peak', 'bytes'],
  ["p99 of another server's calls", 'ms'],
  ['longest turn (processor time)', 'ms'],
  ['longest stall (wall time)', 'ms'],
  ['longest collection', 'ms'],
];

/** As many tests as run at a time: the `maxConcurrency` of the runner. */
const parallel = 5;

/** The end of what the programs have printed. */
let said = '';

function start(flags: readonly string[], name: string, ...args: readonly string[]): ChildProcess {
  const program = spawn(process.execPath, [...flags, join(fixtures, name), ...args], {
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

/** A client in a process, which is started again where an attack has ended it. */
class AttackedClient {
  program: ChildProcess | undefined;
  exited: Promise<unknown> = Promise.resolve();

  async running(port: number): Promise<ChildProcess> {
    const { program } = this;
    if (program?.exitCode === null && program.signalCode === null) return program;
    const flags = ['--max-old-space-size=128', '--expose-gc'];
    this.program = start(flags, 'client.mjs', `http://127.0.0.1:${String(port)}/mcp`);
    this.exited = once(this.program, 'exit');
    await once(this.program, 'message');
    return this.program;
  }
}

describe(`fault 36: a client with a heap of 128 MB, seed ${String(seed)}`, () => {
  let good: ChildProcess;
  let port = 0;
  // Most attacks wait, so that several clients are attacked at a time.
  const free = Array.from({ length: parallel }, () => new AttackedClient());
  const clients = [...free];
  const rows: Row[] = [];

  beforeAll(async () => {
    good = start([], 'server.mjs');
    [{ port }] = (await once(good, 'message')) as [{ port: number }];
  });
  afterAll(async () => {
    await end(good);
    for (const { program } of clients) if (program !== undefined) await end(program);
    if (exhaustive) printTable(columns, rows);
  });

  it.concurrent.for(chosen)('survives $name over $over, $era', async (attack, { onTestFinished }) => {
    const { kind, over, era } = attack;
    const client = free.pop() as AttackedClient;
    onTestFinished(() => void free.push(client));
    const program = await client.running(port);
    const server = await hostile(kind, over, era);
    const order: Order = {
      target: server.target,
      method: kind.method,
      times: kind.times ?? 1,
      ends: kind.ends,
      // It is over as soon as the expected end comes.
      forMs: kind.ends === undefined ? 1_000 : 120_000,
    };
    const reported = once(program, 'message').then(([report]) => report as Report);
    program.send(order);
    const report = await Promise.race([reported, client.exited.then(() => undefined)]);
    server.close();
    if (report === undefined) expect.unreachable(said);
    const { grownBytes, peakBytes, goodP99Ms, longestTurnMs, longestStallMs, longestCollectionMs } = report;
    const figures = [grownBytes, peakBytes, goodP99Ms, longestTurnMs, longestStallMs, longestCollectionMs];
    rows.push([`${kind.name} over ${over}, ${era}: ${report.outcomes.join(', ')}`, ...figures]);
    expect(report.goodFailures).toEqual([]);
    expect(report.calls).toBeGreaterThan(0);
    expect(report.outcomes.filter((code) => code.startsWith('UNTYPED'))).toEqual([]);
    if (kind.ends !== undefined) expect(report.outcomes).toContain(kind.ends);
    expect(grownBytes).toBeLessThan(marginBytes);
    expect(report.heldBytes).toBe(0);
  });
});

const command = join(repository, 'apps/client/dist/main.js');
const ofCommand = answers.filter(
  ({ name, method }) => exhaustive && method === 'tools/list' && name !== 'many lists at once',
);

describe.runIf(exhaustive)('fault 36: a command with a heap of 128 MB', () => {
  it.for(ofCommand.flatMap((kind) => kind.eras.map((era) => ({ kind, era, name: kind.name }))))(
    'ends with an error after $name, $era',
    async ({ kind, era }, { onTestFinished }) => {
      const server = await hostile(kind, 'http', era);
      onTestFinished(() => server.close());
      const flags = ['--max-old-space-size=128', command, 'tools', String(server.target), '--json'];
      const run = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
      let errors = '';
      run.stderr.on('data', (text: Buffer) => (errors += text.toString()));
      const [code] = (await once(run, 'close')) as [number | null];
      // The server answered with an error, or no connection could be opened.
      expect([1, 3], errors).toContain(code);
      expect(errors).toContain(kind.ends);
    },
  );
});
