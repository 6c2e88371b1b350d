import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';

/** The rows that the page promises, as `row 12` and `fault 3`. */
function promised(): string[] {
  const page = readFileSync(join(repository, 'RELIABILITY.md'), 'utf8');
  const [input = '', faults = ''] = page.split('## Faults');
  const numbers = (text: string): string[] =>
    [...text.matchAll(/^\| +(\d+) +\|/gm)].map(([, n]) => n as string);
  return [...numbers(input).map((n) => `row ${n}`), ...numbers(faults).map((n) => `fault ${n}`)];
}

/** The rows that titles of tests name, also in lists such as `rows 6, 12 and 19`. */
function named(): Set<string> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const found = new Set<string>();
  for (const file of files.trim().split('\n')) {
    const text = readFileSync(join(repository, file), 'utf8');
    for (const [, kind, list] of text.matchAll(
      /\b(row|fault)s? (\d+(?:(?:, | and |-)(?:row |fault )?\d+)*)/g,
    )) {
      for (const [number] of (list as string).matchAll(/\d+/g)) found.add(`${kind as string} ${number}`);
    }
  }
  return found;
}

describe('the page on bad input and faults', () => {
  const tests = named();
  it.each(promised())('%s has a test named after it', (row) => {
    expect(tests).toContain(row);
  });
});
