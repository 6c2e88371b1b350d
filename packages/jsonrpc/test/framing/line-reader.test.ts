import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, cutAt, read, readByOneBuffer } from './stream-of-lines.js';
import { rounds } from '../../../../vitest.rounds.js';

describe('framing', () => {
  it.each([
    ['', []],
    ['\n\n', []],
    ['a\n', ['a']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\n\n\r\n \t\r\nb\n', ['a', 'b']],
    ['a\rb\n', ['a\rb']],
    ['a\r\r\n', ['a\r']],
    [' a \n', [' a ']],
    ['a\u2028b\u2029c\u0085\v\fd\n', ['a\u2028b\u2029c\u0085\v\fd']],
    ['a\u0000b\n', ['a\u0000b']],
  ])('row 8: %j', (text, lines) => {
    expect(read([bytes(text)])).toEqual(lines);
  });

  it('row 7: drops a byte order mark at the very start, whole or cut, and nowhere else', () => {
    const stream = bytes('\ufeffa\n\ufeffb\n');
    for (const [offset] of stream.entries()) expect(read(cutAt(stream, offset))).toEqual(['a', '\ufeffb']);
    expect(read([bytes('\ufeff\ufeffa\n')])).toEqual(['\ufeffa']);
    expect(read([bytes('\n\ufeffa\n')])).toEqual(['\ufeffa']);
    expect(read([bytes('\ufeff\n\ufeffa\n')])).toEqual(['\ufeffa']);
    expect(read([bytes(0xff, '\n\ufeffa\n')])).toEqual(['<PARSE_ERROR>', '\ufeffa']);
  });

  it('row 5: characters cut anywhere stay whole', () => {
    const stream = bytes('\ufeff{"a":"é€😀\u2028"}\r\nß\n\n日本語\n');
    const whole = read([stream]);
    expect(whole).toEqual(['{"a":"é€😀\u2028"}', 'ß', '日本語']);
    for (let first = 0; first <= stream.length; first++) {
      for (let second = first; second <= stream.length; second++) {
        expect(read(cutAt(stream, first, second))).toEqual(whole);
      }
    }
  });

  it('row 5: random text in random chunks reads the same', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, offsets) => {
        const stream = bytes(lines.map((text) => `${text}\n`).join(''));
        const cuts = offsets.map((offset) => Math.min(offset, stream.length));
        const chunks = cutAt(stream, ...cuts);
        expect(read(chunks)).toEqual(expected(stream, 1_000));
        expect(readByOneBuffer(chunks)).toEqual(expected(stream, 1_000));
      }),
    );
  });

  it('any bytes in any chunks are read like a plain split of them', () => {
    const part = fc.constantFrom(
      ...['a', '\n', '\n', '\r\n', '\ufeff', ' ', 'é', '😀', 'x'.repeat(9), '\ufffd', 0xff, 0xc3, 0xf0],
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }),
        fc.array(fc.nat(80)),
        fc.nat(16),
        (parts, offsets, limit) => {
          const stream = bytes(...parts);
          const cuts = offsets.map((offset) => Math.min(offset, stream.length));
          const said = expected(stream, limit + 1);
          for (const chunks of [cutAt(stream, ...cuts), [stream]]) {
            const got = read(chunks, limit + 1);
            expect(readable(got)).toEqual(readable(said));
            expect(got.includes(unreadable)).toBe(said.includes(unreadable));
          }
        },
      ),
      { numRuns: rounds(5_000) },
    );
  });

  it('lets the sender use its buffer again', () => {
    const buffer = bytes('ab');
    const reused = (function* (): Generator<Uint8Array> {
      yield buffer;
      buffer.fill(0x63);
      yield buffer;
      yield bytes('\n');
    })();
    expect(read(reused as unknown as Uint8Array[])).toEqual(['abcc']);
  });
});

const unreadable = '<PARSE_ERROR>';

/** Without the faults of lines that are not UTF-8: several lines of one chunk may be one fault. */
const readable = (said: readonly string[]): readonly string[] => said.filter((text) => text !== unreadable);

/** The slow and plain reading: split all bytes, then judge each line. */
function expected(stream: Uint8Array, maxBytes: number): string[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let to = stream.indexOf(10); to >= 0; to = stream.indexOf(10, from)) {
    lines.push(stream.slice(from, to));
    from = to + 1;
  }
  const said = lines.map((line, index) => {
    if (line.length > maxBytes) return '<OVERFLOW>';
    const text = Buffer.from(line).toString();
    if (!Buffer.from(text).equals(line)) return unreadable;
    const start = index === 0 && text.startsWith('\ufeff') ? 1 : 0;
    return text.slice(start, text.endsWith('\r') ? -1 : undefined);
  });
  const rest = stream.length - from;
  if (rest > 0) said.push(rest > maxBytes ? '<OVERFLOW>' : '<TRUNCATED>');
  return said.filter((text) => !/^[ \t\r]*$/.test(text));
}
