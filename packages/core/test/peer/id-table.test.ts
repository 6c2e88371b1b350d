import type { RequestId } from '@rxmcp/jsonrpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOwnProcess } from '../../../../vitest.process.js';
import { IdTable } from '../../src/peer/id-table.js';

const ids = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom<RequestId>(0, 256, 512, 257, 1.5, 2 ** 40, '', '0', '1', '__proto__'),
);

describe('a table of ids', () => {
  it('behaves like a Map', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), ids), { maxLength: 60 }), (steps) => {
        const table = new IdTable<{ id: RequestId }>();
        const map = new Map<RequestId, { id: RequestId }>();
        for (const [adds, id] of steps) {
          if (adds && !map.has(id)) {
            const entry = { id };
            table.add(entry);
            map.set(id, entry);
          } else if (!adds) {
            expect(table.delete({ id })).toBe(false);
            expect(table.delete(map.get(id) ?? { id })).toBe(map.delete(id));
          }
          expect(table.get(id)).toBe(map.get(id));
        }
        expect(table.size).toBe(map.size);
        expect(new Set(table.values())).toEqual(new Set(map.values()));
        table.clear();
        expect(table.size).toBe(0);
        expect(table.all()).toEqual([]);
      }),
    );
  });

  it('an unused one is small: ten thousand take less than 256 bytes each', async () => {
    const bytes = await inOwnProcess<number>(new URL('../fixtures/unused-tables.ts', import.meta.url));
    expect(bytes).toBeLessThan(256);
  });

  it('iterates numbers from low to high, also where they share a slot', () => {
    const table = new IdTable<{ id: RequestId }>();
    for (const id of [300, 44, 7, 'a', 256]) table.add({ id });
    expect(table.all().map(({ id }) => id)).toEqual([7, 44, 256, 300, 'a']);
  });

  it('skips entries that are removed during iteration', () => {
    const table = new IdTable<{ id: RequestId }>();
    const others = [{ id: 2 }, { id: 257 }];
    for (const entry of [{ id: 1 }, ...others]) table.add(entry);
    const seen: RequestId[] = [];
    for (const { id } of table.values()) {
      seen.push(id);
      for (const entry of others) table.delete(entry);
    }
    expect(seen).toEqual([1]);
  });

  it('yields nothing more once it is cleared during iteration', () => {
    const table = new IdTable<{ id: RequestId }>();
    for (const id of [1, 2, 'a', 'b']) table.add({ id });
    const seen: RequestId[] = [];
    for (const { id } of table.values()) {
      seen.push(id);
      if (seen.length === 3) table.clear();
    }
    expect(seen).toEqual([1, 2, 'a']);
  });
});
