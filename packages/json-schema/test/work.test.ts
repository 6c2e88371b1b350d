import { describe, expect, it } from 'vitest';
import { formats } from '../src/formats.js';
import { matcherOf } from '../src/pattern/matcher.js';
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

describe('a pattern', () => {
  const cost = (pattern: string, text: string): number => {
    let spent = 0;
    matcherOf(pattern, '')(text, { spend: (steps) => void (spent += steps) });
    return spent;
  };

  it('row 64: pays for a look ahead that is over early', () => {
    const ways = times(18, () => `.${'(?:|)'.repeat(20)}`.repeat(13)).join('|');
    const pattern = `^(?:(?=(?:${ways})b)|a)*c`;
    expect(cost(pattern, 'a'.repeat(50))).toBeGreaterThan(100_000);
    expect(problems({ pattern }, 'a'.repeat(100_000))).toEqual(givenUp);
  });

  it('row 64: pays for each match, however soon it fails', () => {
    expect(cost('^b', 'a')).toBeGreaterThan(0);
    expect(cost('^(?:.?){5}1$', 'xxxxx1y')).toBeGreaterThan(10);
    const patternProperties = Object.fromEntries(times(900, (i) => [`^(?:.?){5}${i}$`, true]));
    const value = Object.fromEntries(times(1_200, (i) => [`xxxxx${i}y`, 1]));
    expect(problems({ patternProperties, additionalProperties: true }, value)).toEqual(givenUp);
  });

  it.each(['(?:)', 'b{0}', '(?:(?:))', '()*'])(
    'row 64: counts the empty part %s in what is repeated',
    (empty) => {
      const source = `(?:a${empty.repeat(5_000)}){9900}`;
      expect(() => matcherOf(source, '')).toThrow('make more than');
      expect(matcherOf(`(?:a${empty}){3}$`, '')('aaa', { spend: () => undefined })).toBe(true);
    },
  );
});
