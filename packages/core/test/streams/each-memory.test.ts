import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { processMemory } from '@rxmcp/transport';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { each } from '../../src/index.js';
import { leaving } from '../rig/leaving.js';

const budget = processMemory();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const event = (length: number) => ({ type: 'log', data: 'x'.repeat(length) });

/** An iteration whose first value has been read. */
async function begun() {
  const source = new Subject<unknown>();
  const iterator = each(source);
  const first = iterator.next();
  source.next(event(0));
  await first;
  return { source, iterator };
}

describe('the values that wait for the reader of an iteration', () => {
  it('are charged until they are read', async () => {
    const before = budget.heldBytes;
    const { source, iterator } = await begun();
    expect(budget.heldBytes).toBe(before);
    source.next(event(10_000));
    source.next(event(20_000));
    const both = budget.heldBytes - before;
    expect(both).toBeGreaterThan(60_000);
    await iterator.next();
    expect(budget.heldBytes - before).toBe(both / 2 + 10_000);
    await iterator.next();
    expect(budget.heldBytes).toBe(before);
    await iterator.return();
  });

  it('end it with OVERFLOW where the memory of the process does not suffice', async () => {
    const before = budget.heldBytes;
    const { source, iterator } = await begun();
    const giveBack = leaving(40_000);
    source.next(event(10_000));
    source.next(event(30_000));
    giveBack();
    expect(source.observed).toBe(false);
    expect(await iterator.next()).toMatchObject({ value: { data: 'x'.repeat(10_000) } });
    await expect(iterator.next()).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(budget.heldBytes).toBe(before);
  });

  it('leave no charge behind, after any sequence', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.nat({ max: 20_000 }) },
      { weight: 3, arbitrary: fc.constant('read') },
      { weight: 1, arbitrary: fc.constantFrom('return', 'throw', 'complete', 'error', 'abort') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const before = budget.heldBytes;
        const source = new Subject<unknown>();
        const stop = new AbortController();
        const iterator = each(source, { bufferSize: 8, signal: stop.signal });
        const quiet = (read: Promise<unknown>): void => void read.catch(() => undefined);
        quiet(iterator.next());
        for (const one of steps) {
          if (typeof one === 'number') source.next(event(one));
          else if (one === 'read') quiet(iterator.next());
          else if (one === 'return') quiet(iterator.return());
          else if (one === 'throw') quiet(iterator.throw(new Error('left')));
          else if (one === 'complete') source.complete();
          else if (one === 'error') source.error(new Error('failed'));
          else stop.abort();
        }
        await iterator.return();
        expect(budget.heldBytes).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  it('are charged no more once the iteration is collected', async () => {
    const before = budget.heldBytes;
    await (async () => {
      const { source } = await begun();
      source.next(event(10_000));
      source.complete();
    })();
    expect(budget.heldBytes).toBeGreaterThan(before);
    await vi.waitUntil(() => (collect(), budget.heldBytes === before));
  });

  it('count instances of classes as one value each', async () => {
    const before = budget.heldBytes;
    const { source, iterator } = await begun();
    source.next(
      new (class Loop {
        readonly self = this;
        readonly text = 'x'.repeat(10_000);
      })(),
    );
    expect(budget.heldBytes - before).toBeLessThan(100);
    await iterator.return();
  });
});
