import { assert, property, string, constantFrom, array, integer } from 'fast-check';
import { expect, it } from 'vitest';
import { printable, quoted, rows } from '../src/printable.js';

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

it('breaks lines behind the mark, and loses nothing', () => {
  assert(
    property(string({ unit: 'grapheme', maxLength: 200 }), integer({ min: 20, max: 80 }), (text, columns) => {
      const broken = rows(`a ${text}`, columns).split('\n');
      for (const row of broken) expect([...row].length).toBeLessThanOrEqual(columns);
      expect(broken.map((row, at) => (at === 0 ? row : row.replace(/^ {2}\| /, ''))).join('')).toBe(
        `a ${text}`,
      );
    }),
  );
});
