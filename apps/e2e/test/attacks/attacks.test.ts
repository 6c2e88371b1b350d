import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { AttackedServer, type ServerReport } from './attacked-server.js';
import { type EndAttack, overHttp, overSse, overWebSocket } from './attacker.js';
import { attacks } from './attacks.js';
import { rawAttacks } from './raw-attacks.js';
import { type Column, printTable, type Row } from './table.js';

/** Together more than the heap of the server. */
const times = 72;
/** Where not all run, two generated attacks and one of raw bytes show that the machinery works; what is charged is counted elsewhere. */
const chosen = exhaustive ? attacks : attacks.filter((_, index) => index % 24 === 8);
const chosenRaw = Object.entries(rawAttacks).slice(0, exhaustive ? Infinity : 1);
const ways = { http: overHttp, sse: overSse, websocket: overWebSocket };
const mebibyte = 1024 * 1024;
/** What a process takes for the work itself: buffers of sockets, messages that are being parsed. */
const workBytes = 48 * mebibyte;
/** How much more may be reachable than is charged. */
const tolerance = 1.25;

const columns: readonly Column[] = [
  ['charged', 'bytes'],
  ['reachable', 'bytes'],
  ['peak', 'bytes'],
  ['resident above idle', 'bytes'],
  ["other caller's p99", 'ms'],
  ['its longest call', 'ms'],
  ['longest turn (processor time)', 'ms'],
  ['longest stall (wall time)', 'ms'],
  ['longest collection', 'ms'],
];

describe('fault 35: a server with a heap of 256 MB', () => {
  let server: AttackedServer;
  let idle: ServerReport;
  const rows: Row[] = [];

  beforeAll(async () => {
    server = await AttackedServer.start();
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
    const { heldBytes, usedBytes, residentBytes } = await server.report(true);
    const keptBytes = usedBytes - before.usedBytes;
    const turns = [longestTurnMs, longestStallMs, longestCollectionMs];
    rows.push([
      name,
      heldBytes,
      keptBytes,
      peakBytes,
      residentBytes - idle.residentBytes,
      p99Ms,
      longestMs,
      ...turns,
    ]);
    expect(statuses).toEqual([200]);
    expect(server.end).toBeUndefined();
    expect(heldBytes).toBeLessThan(64 * mebibyte);
    expect(keptBytes).toBeLessThan(heldBytes * tolerance + workBytes);
    end();
    await vi.waitFor(async () => expect((await server.report()).heldBytes).toBeLessThan(mebibyte), 60_000);
  }

  it.each(chosen)(
    'serves others while large $method come over $over, $era, bytes in $bytesIn, then $then',
    async (attack) => {
      const { over, era, method, bytesIn, then } = attack;
      await survives(`${method} over ${over}, ${era}, bytes in ${bytesIn}, ${then}`, () =>
        ways[over](server.port, attack, times),
      );
    },
  );

  it.each(chosenRaw)('serves others while %s', async (name, attack) => {
    await survives(name, () => attack(server.port));
  });

  it('has released everything', async () => {
    await vi.waitFor(async () => {
      const { heldBytes, usedBytes } = await server.report(true);
      expect(heldBytes).toBe(0);
      expect(usedBytes - idle.usedBytes).toBeLessThan(8 * mebibyte);
    }, 60_000);
    const [, { statuses }] = await server.calledDuring(() => undefined);
    expect(statuses).toEqual([200]);
  });
});
