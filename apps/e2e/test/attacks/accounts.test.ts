import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { AttackedServer, type ServerReport } from './attacked-server.js';
import { holdings } from './holdings.js';

const mebibyte = 1024 * 1024;
/** How much more may be reachable than is charged. */
const tolerance = 1.25;
/** What is reachable besides: code that was compiled meanwhile, sockets. */
const workBytes = 4 * mebibyte;

const step = fc.record({
  kind: fc.constantFrom(...Object.keys(holdings)),
  bytes: fc.integer({ min: 1_000, max: 900_000 }),
  endsAtOnce: fc.boolean(),
});

describe('the accounts of a server, on all transports', () => {
  let server: AttackedServer;
  let callers = 0;

  beforeAll(async () => {
    server = await AttackedServer.start();
    // What is compiled and kept after a first use is held for no caller.
    await holdAll(Object.keys(holdings).map((kind) => ({ kind, bytes: 100_000, endsAtOnce: false })));
  });
  afterAll(() => server.kill());

  /** Resolves once what is charged stands still. */
  async function settled(): Promise<ServerReport> {
    let before = -1;
    for (let still = 0; ; still += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { heldBytes } = await server.report();
      if (heldBytes !== before) [before, still] = [heldBytes, 0];
      else if (still === 5) break;
    }
    await server.report(true);
    return server.report(true);
  }

  async function holdAll(
    steps: readonly { readonly kind: string; readonly bytes: number; readonly endsAtOnce: boolean }[],
  ): Promise<void> {
    const before = await settled();
    const ends: (() => void)[] = [];
    for (const { kind, bytes, endsAtOnce } of steps) {
      const end = await holdings[kind]?.(server, bytes, `caller-${String((callers += 1))}`);
      if (endsAtOnce) end?.();
      else if (end !== undefined) ends.push(end);
    }
    const held = await settled();
    if (exhaustive && callers > Object.keys(holdings).length)
      expect(held.usedBytes - before.usedBytes).toBeLessThan(held.heldBytes * tolerance + workBytes);
    for (const end of ends) end();
    await vi.waitFor(async () => {
      const { heldBytes, holders } = await server.report();
      expect([heldBytes, holders]).toEqual([0, 0]);
    }, 60_000);
  }

  it('are empty once everything has ended, and before not below what is reachable', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), holdAll), {
      numRuns: exhaustive ? 40 : 3,
      endOnFailure: true,
    });
  });
});
