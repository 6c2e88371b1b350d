import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob, wildcard } from '../src/tools/glob.js';

describe('a glob', () => {
  it.each([
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/**/test/*.js', 'src/a/test/b/test/c.js', true],
    ['a?c.txt', 'abc.txt', true],
    ['a?c.txt', 'a/c.txt', false],
    ['*', 'a', true],
    ['*', 'a/b', false],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYbZ', false],
    ['[a].(b)+', '[a].(b)+', true],
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });

  it('agrees with a regular expression', () => {
    const part = fc.stringMatching(/^[ab*?]{1,6}$/).filter((text) => text !== '**');
    const name = fc.stringMatching(/^[ab]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (p, n) => {
          const source = p.join('/').replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
          expect(matchesGlob(p.join('/'), n.join('/'))).toBe(new RegExp(`^${source}$`).test(n.join('/')));
        },
      ),
    );
  });

  it.each([
    ['stars', `${'*a'.repeat(200)}b`, 'a'.repeat(4_000)],
    ['directories', `${'**/a/'.repeat(80)}b`, 'a/'.repeat(2_000)],
  ])('does not blow up with many %s', (_, pattern, path) => {
    expect(matchesGlob(pattern, path)).toBe(false);
  });

  it('compares no more often than the product of both lengths', () => {
    const [pattern, items] = [[...`${'*a'.repeat(20)}b`], [...'a'.repeat(400)]];
    let compared = 0;
    const matches = (part: string, item: string): boolean => {
      compared += 1;
      return part === item;
    };
    expect(wildcard(pattern, items, (part) => part === '*', matches)).toBe(false);
    expect(compared).toBeLessThan(pattern.length * items.length);
  });
});
