import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.js';

it('members in another order are the same value, at every depth', () => {
  const one = { b: [{ y: 1, x: 'é"' }, null, true], a: { d: 0, c: '' } };
  const other = { a: { c: '', d: 0 }, b: [{ x: 'é"', y: 1 }, null, true] };
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

it('other items, and items in another order, are another value', () => {
  const texts = [[1, 2], [2, 1], [[1], 2], [[1, 2]], '1,2', { '0': 1, '1': 2 }, [0, 1, 1, 2]].map(
    canonicalJson,
  );
  expect(new Set(texts).size).toBe(texts.length);
});

it('names that objects have of their own are members', () => {
  const value: unknown = JSON.parse('{"toString":1,"__proto__":{"a":2}}');
  expect(canonicalJson(value)).toBe('{["__proto__",{["a",2]},"toString",1]}');
});
