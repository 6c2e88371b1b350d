import { NEVER } from 'rxjs';
import { expect, it } from 'vitest';
import { InnerServer, renamed } from '../src/inner-server.js';

it('an entry of a list has its new name, or is the same object', () => {
  const info = { name: 'a', title: 'A' };
  expect(renamed(info, 'x-a')).toEqual({ name: 'x-a', title: 'A' });
  expect(renamed(info, 'a')).toBe(info);
});

it.each([
  ['no text', 1],
  ['an empty name', ''],
])('"rename" may not return %s', (_what, name) => {
  const server = new InnerServer(NEVER, { rename: () => name as string });
  expect(() => server.offeredName('a', 'tool')).toThrow('"rename" must return a name');
});
