import { expect, it } from 'vitest';
import { BoundedMap } from '../src/server/bounded-map.js';

function kept(map: BoundedMap<string>): string {
  return [...'abcd'].filter((key) => map.get(key)?.value === key).join('');
}

it('keeps the newest entries, each until its time', () => {
  const map = new BoundedMap<string>(2);
  for (const key of 'abc') map.add(key, key, Infinity);
  expect(kept(map)).toBe('bc');
  map.add('b', 'b', Infinity);
  map.add('d', 'd', Infinity);
  expect(kept(map)).toBe('bd');
  map.add('b', 'b', 0);
  expect(kept(map)).toBe('d');
});

it('keeps nothing where it may have no entry', () => {
  const map = new BoundedMap<string>(0);
  map.add('a', 'a', Infinity);
  expect(kept(map)).toBe('');
});
