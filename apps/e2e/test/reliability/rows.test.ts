import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { namedIn } from './named.js';

/** The rows that the page promises, as `row 12` and `fault 3`. */
function promised(): string[] {
  const page = readFileSync(join(repository, 'RELIABILITY.md'), 'utf8');
  const [input = '', faults = ''] = page.split('## Faults');
  const numbers = (text: string): string[] =>
    [...text.matchAll(/^\| +(\d+) +\|/gm)].map(([, n]) => n as string);
  return [...numbers(input).map((n) => `row ${n}`), ...numbers(faults).map((n) => `fault ${n}`)];
}

/** The rows that titles of tests name, each with the files that do. */
function tested(): Map<string, string[]> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const found = new Map<string, string[]>();
  for (const file of files.trim().split('\n')) {
    // This file shows titles that name no row.
    if (file.endsWith('reliability/rows.test.ts')) continue;
    for (const row of namedIn(readFileSync(join(repository, file), 'utf8'))) {
      found.set(row, [...(found.get(row) ?? []), file]);
    }
  }
  return found;
}

describe('the page on bad input and faults', () => {
  const rows = promised();
  const tests = tested();

  it('has each row once', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows).toEqual([...new Set(rows)]);
  });

  it.each(rows)('%s has a test named after it', (row) => {
    expect([...tests.keys()]).toContain(row);
  });

  it.each([...tests])('%s, which tests are named after, is on it', (row, files) => {
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
