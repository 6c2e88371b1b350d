import { expect, it } from 'vitest';
import { renamed } from '../src/inner-server.js';

it('an entry of a list has its new name, or is the same object', () => {
  const info = { name: 'a', title: 'A' };
  expect(renamed(info, 'x-a')).toEqual({ name: 'x-a', title: 'A' });
  expect(renamed(info, 'a')).toBe(info);
});

it.each([
  ['no text', { name: 'a' }, 1],
  ['an empty name', { name: 'a' }, ''],
  ['a name for what is no entry', 'a', 'x-a'],
])('"rename" may not return %s', (_what, info, name) => {
  expect(() => renamed(info as never, name as never)).toThrow('"rename" must return a name');
});
