import { expect, it } from 'vitest';
import { nearestName } from '@rxmcp/transport/internal';
import { checkName, quoted } from '../../src/base/message-text.js';

it.each(['search_files', '计算', '__proto__', 'with space', 'a/b.c-d'])('takes %s', (name) => {
  expect(() => checkName('tool', name)).not.toThrow();
});

it.each([
  ['empty', ''],
  ['no string', 7],
  ['newline', 'a\nb'],
  ['NUL', 'a\0'],
  ['C1 control', 'a\u0085'],
  ['zero-width space', 'a\u200bb'],
  ['zero-width joiner', 'a\u200db'],
  ['right-to-left override', 'a\u202eb'],
  ['isolate', 'a\u2066b'],
  ['line separator', 'a\u2028b'],
  ['byte order mark', '\ufeffa'],
  ['half a surrogate pair', 'a\ud800'],
])('refuses a name that is or has: %s', (_, name) => {
  expect(() => checkName('tool', name)).toThrow(TypeError);
});

it('quotes any text in one short readable line', () => {
  expect(quoted('a"b')).toBe('"a\\"b"');
  expect(quoted('a\u202eb\nc')).toBe('"a\\u202eb\\nc"');
  expect(quoted('x'.repeat(5_000)).length).toBeLessThan(110);
});

it('finds the name that was probably meant', () => {
  const known = ['calculate_sum', 'search_files', 'echo'];
  expect(nearestName('calculate_sun', known)).toBe('calculate_sum');
  expect(nearestName('Echo', known)).toBe('echo');
  expect(nearestName('ecko', known)).toBe('echo');
  expect(nearestName('xyz', known)).toBeUndefined();
  expect(nearestName('x'.repeat(10_000), ['x'.repeat(10_001)])).toBeUndefined();
});
