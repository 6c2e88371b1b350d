import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { type Attacked, AttackedServer, type ServerReport } from './attacked-server.js';
import { type EndAttack, overHttp, overSse, overWebSocket } from './attacker.js';
import { type Attack, attacks } from './attacks.js';
import { rawAttacks } from './raw-attacks.js';
import { type Column, printTable, type Row } from './table.js';
import { tokenAttacks } from './token-attacks.js';

/** Together more than the heap of the server. */
const times = 72;
/** Where not all run, two generated attacks and one of raw bytes show that the machinery works; what is charged is counted elsewhere. */
const chosen = exhaustive ? attacks : attacks.filter((_, index) => index % 24 === 8);
const allRaw = Object.entries(rawAttacks);
/** The worst ones, for what is built of the same server. */
const few = attacks.filter(
  ({ era, method, then, bytesIn }) =>
    era === 'modern' &&
    method === 'tools/call' &&
    then === 'wait' &&
    ['arguments', 'values'].includes(bytesIn),
);
const fewRaw = allRaw.filter(([name]) =>
  /results of 3 MB|large answers over WebSockets|300 readers|large calls are made|pipelined by many/.test(
    name,
  ),
);
type RawAttack = (typeof allRaw)[number];

const targets: readonly (readonly [Attacked, readonly Attack[], readonly RawAttack[]])[] = [
  ['server', chosen, exhaustive ? allRaw : allRaw.slice(0, 1)],
  ...(exhaustive
    ? ([
        ['gateway', few, fewRaw],
        ['protected', few, [...fewRaw, ...Object.entries(tokenAttacks)]],
      ] as const)
    : []),
];
const ways = { http: overHttp, sse: overSse, websocket: overWebSocket };
const mebibyte = 1024 * 1024;
/** What a process takes for the work itself: buffers of sockets, messages that are being parsed. */
const workBytes = 48 * mebibyte;
/** What remains: code that was compiled, and verified access tokens, of which up to 10,000 are kept. */
const keptBytes = { server: 8 * mebibyte, gateway: 8 * mebibyte, protected: 16 * mebibyte };
/** How much more may be reachable than is charged. */
const tolerance = 1.25;

const columns: readonly Column[] = [
  ['charged', 'bytes'],
  ['reachable', 'bytes'],
  ['peak', 'bytes'],
  ['resident above idle, before it ends', 'bytes'],
  ["other caller's p99", 'ms'],
  ['its longest call', 'ms'],
  ['longest turn (processor time)', 'ms'],
  ['longest stall (wall time)', 'ms'],
  ['longest collection', 'ms'],
  ['longest turn when it ends (processor time)', 'ms'],
];

describe.for(targets)('fault 35: a %s with a heap of 256 MB', ([attacked, generated, raw]) => {
  let server: AttackedServer;
  let idle: ServerReport;
  const rows: Row[] = [];

  beforeAll(async () => {
    server = await AttackedServer.start(attacked);
    await server.calledDuring(() => undefined);
    idle = await server.report(true);
  });
  afterAll(async () => {
    await server.kill();
    if (exhaustive) printTable(columns, rows);
  });

  /** Calls as another caller all through an attack, and after it. */
  async function survives(name: string, attack: () => Promise<EndAttack> | EndAttack): Promise<void> {
    const before = await server.report(true);
    const [end, { statuses, p99Ms, longestMs }] = await server.calledDuring(attack);
    onTestFinished(end);
    const { peakBytes, longestTurnMs, longestStallMs, longestCollectionMs } = await server.report();
    expect(statuses).toEqual([200]);
    expect(server.end).toBeUndefined();
    // What a connection that was cut held is collected some turns later.
    const { heldBytes, grownBytes, residentBytes } = await vi.waitFor(async () => {
      const report = await server.report(true);
      const grownBytes = report.usedBytes - before.usedBytes;
      expect(report.heldBytes).toBeLessThan(report.maxBytes);
      expect(grownBytes).toBeLessThan(report.heldBytes * tolerance + workBytes);
      return { ...report, grownBytes };
    }, 10_000);
    end();
    let longestEndMs = 0;
    await vi.waitFor(async () => {
      const report = await server.report();
      longestEndMs = Math.max(longestEndMs, report.longestTurnMs);
      expect(report.heldBytes).toBeLessThan(mebibyte);
    }, 60_000);
    const growth = residentBytes - idle.residentBytes;
    const turns = [longestTurnMs, longestStallMs, longestCollectionMs, longestEndMs];
    rows.push([`${attacked}: ${name}`, heldBytes, grownBytes, peakBytes, growth, p99Ms, longestMs, ...turns]);
  }

  it.each(generated)(
    'serves others while large $method come over $over, $era, bytes in $bytesIn, then $then',
    async (attack) => {
      const { over, era, method, bytesIn, then } = attack;
      await survives(`${method} over ${over}, ${era}, bytes in ${bytesIn}, ${then}`, () =>
        ways[over](server.port, attack, times),
      );
    },
  );

  it.each(raw)('serves others while %s', async (name, attack) => {
    await survives(name, () => attack(server.port, server.socketPort));
  });

  it('has released everything', async () => {
    await vi.waitFor(async () => {
      const { heldBytes, usedBytes } = await server.report(true);
      // A connection of the caller may have been closing when the server was idle.
      expect(heldBytes).toBeLessThanOrEqual(idle.heldBytes);
      expect(usedBytes - idle.usedBytes).toBeLessThan(keptBytes[attacked]);
    }, 60_000);
    const [, { statuses, p99Ms, longestMs }] = await server.calledDuring(() => undefined);
    expect(statuses).toEqual([200]);
    if (!exhaustive) return;
    // V8 returns its free pages once it has been idle for a while.
    await vi.waitFor(
      async () => {
        const report = await server.report();
        const growth = report.residentBytes - idle.residentBytes;
        expect(growth, 'resident above idle').toBeLessThan(idle.residentBytes);
        rows.push([
          `${attacked}: nothing more`,
          report.heldBytes,
          report.usedBytes - idle.usedBytes,
          report.peakBytes,
          growth,
          p99Ms,
          longestMs,
          report.longestTurnMs,
          report.longestStallMs,
          report.longestCollectionMs,
          0,
        ]);
      },
      { timeout: 60_000, interval: 5_000 },
    );
  });
});
