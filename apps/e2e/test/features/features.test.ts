import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gzipBytes } from '../browser/bundle.js';
import { repository } from '../repository.js';
import { definitionsOf, problemsOf, rowsOf } from './table.js';

const whole = 'docs/features.md';

describe('the features', () => {
  const rows = rowsOf(whole);

  it.each(rows)('$feature: is stated for every library, and has a test here', ({ ours, ...row }) => {
    expect(ours).toMatch(/^(?:no\b|\[)/);
    // What is there is linked; what is missing has nothing to lead to but a part of it.
    if (!/^no\b/.test(ours)) expect(row.links).not.toEqual([]);
    expect(row.official).toMatch(/^(?:yes|part|no|\d+ kB)\b/);
    expect(row.others).toMatch(/^(?:–|\S.*: \S.*)$/);
  });

  it.each([...new Set(rows.flatMap(({ links }) => links))])('%s is a test that runs', (file) => {
    expect(problemsOf(file)).toEqual([]);
  });

  it('has each row once, and no address that no row uses', () => {
    expect(new Set(rows.map(({ feature }) => feature)).size).toBe(rows.length);
    const text = readFileSync(join(repository, whole), 'utf8');
    for (const name of definitionsOf(text).keys()) expect(text).toContain(`][${name}]`);
  });
});

it('the comparison has at least thirty rows, and the first page leads to it', () => {
  expect(rowsOf(whole).length).toBeGreaterThanOrEqual(30);
  expect(readFileSync(join(repository, 'README.md'), 'utf8')).toContain(`(${whole})`);
});

it('a client for a page is no larger than stated', async () => {
  const said = rowsOf(whole).flatMap(({ ours }) => /^\[under (\d+) kB/.exec(ours)?.[1] ?? []);
  expect(said).toHaveLength(1);
  const bytes = await gzipBytes(`
    export { defineClient } from 'rxmcp';
    export { http } from 'rxmcp/http';
    export { resources } from 'rxmcp/resources';
    export { tools } from 'rxmcp/tools';`);
  expect(bytes).toBeLessThan(Number(said[0]) * 1_000);
});

describe('a file alone is no proof', () => {
  it.each([
    ['when it is no test', 'packages/core/src/index.ts', 'is no test of this repository'],
    ['when it is not there', 'packages/core/test/nothing.test.ts', 'is not there'],
    ['when it leaves tests out', 'packages/transports/stdio/test/killing.test.ts', 'leaves tests out'],
    ['when it has no test', 'packages/transport-tck/test/mutants/opening.test.ts', 'has no test'],
  ])('%s', (_when, file, problem) => {
    expect(problemsOf(file)).toContain(problem);
  });
});
