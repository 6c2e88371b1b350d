import { expect, it } from 'vitest';
import { printable, shown } from '../../src/internal.js';

it.each([
  ['plain', 'plain', '"plain"'],
  ['a\n"b"\\', 'a\\u000a"b"\\', '"a\\n\\"b\\"\\\\"'],
  ['\u202eabc\u200f', '\\u202eabc\\u200f', '"\\u202eabc\\u200f"'],
  ['\x7f\x9b\ufeff', '\\u007f\\u009b\\ufeff', '"\\u007f\\u009b\\ufeff"'],
])('%j is printed without what a terminal acts on', (text, plain, quoted) => {
  expect([printable(text), shown(text)]).toEqual([plain, quoted]);
});

it('is cut after 200 characters', () => {
  const [most, more] = ['x'.repeat(200), 'x'.repeat(201)];
  expect(printable(most)).toBe(most);
  expect(printable(more)).toBe(`${'x'.repeat(199)}…`);
  expect(shown('x'.repeat(198))).toBe(`"${'x'.repeat(198)}"`);
  expect(shown('x'.repeat(199))).toBe(`"${'x'.repeat(198)}…`);
  expect(printable('\n'.repeat(200))).toBe(`${'\\u000a'.repeat(34).slice(0, 199)}…`);
});
