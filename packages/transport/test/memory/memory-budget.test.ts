import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateRequestBytes, MemoryBudget, processMemory } from '../../src/index.js';
import { HeldBytes } from '../../src/internal.js';

describe('a memory budget', () => {
  it('charges up to its limit, and releases', () => {
    const budget = new MemoryBudget({ maxBytes: 100, maxShare: 1 });
    expect([budget.tryCharge('a', 60), budget.tryCharge('b', 41), budget.tryCharge('b', 40)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(budget.stats()).toEqual({
      heldBytes: 100,
      maxBytes: 100,
      largest: [
        { holder: 'a', heldBytes: 60 },
        { holder: 'b', heldBytes: 40 },
      ],
    });
    budget.release('a', 60);
    expect(budget.tryCharge('b', 60)).toBe(true);
  });

  it('shows the five holders that hold most, the largest first, and none that holds nothing', () => {
    const budget = new MemoryBudget({ maxBytes: 1_000 });
    const held = { a: 3, b: 50, c: 7, d: 20, e: 1, f: 90, g: 9, h: 60 };
    for (const [holder, bytes] of Object.entries(held)) budget.tryCharge(holder, bytes);
    const largest = () =>
      budget.stats().largest.map(({ holder, heldBytes }) => `${holder} ${String(heldBytes)}`);
    expect(largest()).toEqual(['f 90', 'h 60', 'b 50', 'd 20', 'g 9']);
    budget.release('h', 60);
    budget.release('b', 45);
    expect(largest()).toEqual(['f 90', 'd 20', 'g 9', 'c 7', 'b 5']);
    for (const holder of ['f', 'd', 'g'] as const) budget.release(holder, held[holder]);
    expect(largest()).toEqual(['c 7', 'b 5', 'a 3', 'e 1']);
  });

  it('is charged for the difference where what is held grows or shrinks', () => {
    const budget = new MemoryBudget({ maxBytes: 100, maxShare: 1 });
    const held = new HeldBytes(budget, 'a');
    const seen = [40, 100, 101, 30, 0].map((bytes) => [held.resize(bytes), budget.heldBytes]);
    expect(seen).toEqual([
      [true, 40],
      [true, 100],
      [false, 100],
      [true, 30],
      [true, 0],
    ]);
  });

  it('keeps room for others than the largest holder', () => {
    const budget = new MemoryBudget({ maxBytes: 100 });
    expect([budget.tryCharge('a', 40), budget.tryCharge('a', 20)]).toEqual([true, false]);
    expect(budget.tryCharge('b', 60)).toBe(true);
  });

  it('lets a holder of nothing exceed its share once', () => {
    const budget = new MemoryBudget({ maxBytes: 100 });
    expect([budget.tryCharge('a', 90), budget.tryCharge('a', 1)]).toEqual([true, false]);
  });

  it('keeps an eighth for small charges', () => {
    const kibibyte = 1_024;
    const budget = new MemoryBudget({ maxBytes: 1_600 * kibibyte, maxShare: 1 });
    expect(budget.tryCharge('a', 1_400 * kibibyte)).toBe(true);
    expect(budget.tryCharge('b', 129 * kibibyte)).toBe(false);
    expect([budget.tryCharge('b', 128 * kibibyte), budget.tryCharge('b', 72 * kibibyte)]).toEqual([
      true,
      true,
    ]);
    expect(budget.tryCharge('b', 1)).toBe(false);
    const whole = new MemoryBudget({ maxBytes: 1_600 * kibibyte });
    expect(whole.tryCharge('a', 1_600 * kibibyte)).toBe(true);
  });

  it('charges its parent as well, or neither', () => {
    const parent = new MemoryBudget({ maxBytes: 100 });
    const one = new MemoryBudget({ maxBytes: 100, parent });
    const other = new MemoryBudget({ maxBytes: 100, parent });
    expect([one.tryCharge('a', 60), other.tryCharge('b', 50)]).toEqual([true, false]);
    expect([parent.heldBytes, one.heldBytes, other.heldBytes]).toEqual([60, 60, 0]);
    one.release('a', 60);
    expect(parent.heldBytes).toBe(0);
  });

  it('rejects limits that cannot be meant', () => {
    expect(() => new MemoryBudget({ maxBytes: 0 })).toThrow('"maxBytes"');
    expect(() => new MemoryBudget({ maxBytes: 1, maxShare: 1.5 })).toThrow('"maxShare"');
  });

  it('holds exactly what is charged and not released, after any sequence', () => {
    const holder = fc.constantFrom('a', 'b', 'c');
    const step = fc.tuple(holder, fc.integer({ min: 0, max: 60 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const parent = new MemoryBudget({ maxBytes: 150 });
        const budget = new MemoryBudget({ maxBytes: 100, parent });
        const charged: [string, number][] = [];
        for (const [name, bytes, releases] of steps) {
          if (!releases) {
            if (budget.tryCharge(name, bytes)) charged.push([name, bytes]);
          } else {
            const last = charged.pop();
            if (last !== undefined) budget.release(...last);
          }
          const sum = charged.reduce((total, [, each]) => total + each, 0);
          expect([budget.heldBytes, parent.heldBytes]).toEqual([sum, sum]);
          expect(sum).toBeLessThanOrEqual(100);
        }
        for (const one of charged) budget.release(...one);
        expect(budget.stats()).toMatchObject({ heldBytes: 0, largest: [] });
      }),
    );
  });

  it('of a process is one, a part of the heap', () => {
    expect(processMemory()).toBe(processMemory());
    expect(processMemory().maxBytes).toBeGreaterThan(1024 * 1024);
  });
});

describe('the estimate of a request', () => {
  it('counts the text of long strings twice, and each value of dense texts', () => {
    expect(estimateRequestBytes(`{"a":"${'x'.repeat(100_000)}"}`)).toBe(2_048 + 200_016 + 64);
    const dense = `[${'{},'.repeat(10_000)}0]`;
    expect(estimateRequestBytes(dense)).toBe(2_048 + 2 * dense.length + 64 * 20_001);
  });

  it('of a short text is that of the densest one of its length', () => {
    expect(estimateRequestBytes('[{},{},{}]')).toBe(2_048 + 214);
  });
});
