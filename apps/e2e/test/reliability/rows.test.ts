import { describe, expect, it } from 'vitest';
import { testedRows } from '../reference/reliability.js';
import { namedIn } from './named.js';
import { badInput, faults } from './register.js';

describe('the reliability register', () => {
  const rows = [
    ...badInput.map(([number]) => `row ${String(number)}`),
    ...faults.map(([number]) => `fault ${String(number)}`),
  ];
  const tests = testedRows();

  it('has each row once', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows).toEqual([...new Set(rows)]);
  });

  it.each(rows)('%s has a test named after it', (row) => {
    expect([...tests.keys()]).toContain(row);
  });

  it.each([...tests])('%s, which tests are named after, is in it', (row, files) => {
    expect(rows, files.join(', ')).toContain(row);
  });
});

describe('a title names', () => {
  it.each<[string, string[]]>([
    [`it('row 12: malformed')`, ['row 12']],
    [`it("RELIABILITY row 58 and advisory 1: time")`, ['row 58']],
    ['it(`rows 6, 12 and 19, %s: x`)', ['row 6', 'row 12', 'row 19']],
    [`it('row 41 and fault 12: many')`, ['row 41', 'fault 12']],
    [`it('faults 26 and 27: ends')`, ['fault 26', 'fault 27']],
    [`// row 7, or fault 8`, []],
    [`it('the second row 3 of a table')`, []],
  ])('in %s', (source, rows) => {
    expect([...namedIn(source)]).toEqual(rows);
  });
});
