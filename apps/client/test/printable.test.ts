import { assert, property, string, constantFrom, array, integer } from 'fast-check';
import { expect, it } from 'vitest';
import { cutMiddle, printable, quoted, rows } from '../src/printable.js';

const texts = array(constantFrom('a', ' ', '\t', '\n', '\r\n', '---', '  | ', '字', '😀', '\u00a0'), {
  maxLength: 200,
}).map((parts) => parts.join(''));

it('quotes every line, and loses none', () => {
  assert(
    property(texts, (text) => {
      const lines = printable(quoted(text)).split('\n');
      for (const line of lines) expect(line).toMatch(/^ {2}(\| |\(\d+ blank lines\)$)/);
      const back = lines.flatMap((line) => {
        const [, blank] = /^ {2}\((\d+)/.exec(line) ?? [];
        return blank === undefined ? [line.slice(4)] : Array.from({ length: Number(blank) }, () => '');
      });
      const wanted = text.split(/\r?\n/).map((line) => (line.trim() === '' ? '' : line));
      expect(back.map((line) => (line.trim() === '' ? '' : line))).toEqual(wanted);
    }),
  );
});

it('breaks lines behind the mark, and loses nothing but spaces', () => {
  assert(
    property(string({ unit: 'grapheme', maxLength: 200 }), integer({ min: 20, max: 80 }), (text, columns) => {
      const broken = rows(`a ${text}`, columns).split('\n');
      for (const row of broken) expect([...row].length).toBeLessThanOrEqual(columns);
      const back = broken.map((row, at) => (at === 0 ? row : row.replace(/^ {2}\| /, ''))).join('');
      expect(back.replaceAll(' ', '')).toBe(`a${text.replaceAll(' ', '')}`);
    }),
  );
});

it.each([
  ['at words', 'It waters all the roses today', ['It waters all the', '  | roses today']],
  ['in a word that is longer than a row', `a ${'b'.repeat(20)} c`, [`a ${'b'.repeat(16)}`, '  | bbbb c']],
  ['with its spaces', '  | deep   in   here', ['  | deep   in   here']],
])('breaks a line %s', (_where, text, wanted) => {
  expect(rows(text, 20).split('\n')).toEqual(wanted);
});

it('cuts a name in its middle', () => {
  expect(cutMiddle('file:///notes/today.txt', 12)).toBe('file:…ay.txt');
  expect(cutMiddle('字字字字字字', 6)).toBe('字…字');
  expect(cutMiddle('short', 5)).toBe('short');
});
