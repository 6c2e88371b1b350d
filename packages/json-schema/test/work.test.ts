import { describe, expect, it } from 'vitest';
import { formats } from '../src/formats.js';
import { Run } from '../src/run.js';
import { holds, problems } from './checking.js';

const givenUp = ['the check was given up after 300000 steps'];
const times = <T>(count: number, one: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));

describe('the format regex', () => {
  it('row 64: is read by the own parser, which pays for each character', () => {
    expect(problems({ format: 'regex' }, '\\p{L}'.repeat(40_000))).toEqual(givenUp);
    expect(problems({ format: 'regex' }, '\\p{L}'.repeat(10_000))).toEqual([]);
  });

  it('row 64: gives only short ones to the engine, and pays for them', () => {
    expect(holds({ format: 'regex' }, `(?<=a)${'b'.repeat(250)}`)).toBe(true);
    expect(holds({ format: 'regex' }, `(?<=a)${'b'.repeat(251)}`)).toBe(false);
    const run = new Run(10_000);
    expect(() => formats.get('regex')?.(`(?<=a)${'b'.repeat(250)}`, run)).toThrow('given up');
  });

  it.each(['(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>', '^[a-z]+$', '[\\w-.]'])('takes %s', (text) => {
    expect(holds({ format: 'regex' }, text)).toBe(true);
  });

  it.each(['(a', 'a**', '\\Z', '[b-a]', '^\\S(|(.|\\n)*\\S)\\Z'])('takes no %s', (text) => {
    expect(holds({ format: 'regex' }, text)).toBe(false);
  });
});
