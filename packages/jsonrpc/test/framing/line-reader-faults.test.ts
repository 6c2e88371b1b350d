import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/index.js';
import { bytes, cutAt, read } from './stream-of-lines.js';
import { bytesTouched } from '../touched.js';

describe('faults', () => {
  it.each([
    ['a byte order mark of UTF-16', [0xff, 0xfe]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
    ['a character cut by the line end', [0xe2, 0x82]],
  ])('row 6: %s is fatal for its line only', (_, evil) => {
    const stream = bytes('a\nb', ...evil, '\nc\n');
    for (let offset = 0; offset <= stream.length; offset++) {
      expect(read(cutAt(stream, offset))).toEqual(['a', '<PARSE_ERROR>', 'c']);
    }
  });

  it('row 6: thousands of lines of one chunk that are not UTF-8 are two faults', () => {
    const said: string[] = [];
    const reader = new LineReader({
      maxLineBytes: 100,
      onLine: (text) => said.push(text),
      onFault: ({ message }) => said.push(message),
    });
    reader.push(bytes('a\n', ...Array.from({ length: 10_000 }, () => [0xff, '\n']).flat(), 'b\n'));
    expect(said).toEqual([
      'a',
      'a line of 1 bytes is not valid UTF-8',
      'b',
      '9999 more lines are not valid UTF-8',
    ]);
  });

  it('row 6: no random bytes throw', () => {
    let seed = 6;
    for (let run = 0; run < 2_000; run++) {
      const chunk = new Uint8Array(64);
      for (let at = 0; at < chunk.length; at++) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        chunk[at] = seed >>> 16;
      }
      expect(() => read([chunk, chunk], 40)).not.toThrow();
    }
  });

  it('row 4: a line that the end cuts is never delivered', () => {
    const stream = bytes('a\n{"b":1}');
    for (let end = 3; end <= stream.length; end++) {
      expect(read([stream.slice(0, end)])).toEqual(['a', '<TRUNCATED>']);
    }
    expect(read([bytes('a\n')])).toEqual(['a']);
  });

  it('row 1: an endless line is one fault, held in bounded memory, and the next line is read', () => {
    const said: string[] = [];
    const reader = new LineReader({
      maxLineBytes: 1 << 20,
      onLine: (text) => said.push(text),
      onFault: ({ code, message }) => said.push(`${code}: ${message}`),
    });
    const chunk = new Uint8Array(1 << 16).fill(0x61);
    const copied = bytesTouched(() => {
      for (let count = 0; count < 4_096; count++) reader.push(chunk);
    });
    // Each byte is searched once, and only those up to the limit are copied.
    expect(copied - 4_096 * chunk.length).toBeLessThan(8 << 20);
    reader.push(bytes('\nb\n'));
    reader.end();
    expect(said).toEqual(['OVERFLOW: a line is longer than 1048576 bytes', 'b']);
  });

  it('row 1: reports an endless line once, also when the stream ends inside it', () => {
    expect(read([bytes('abcdef')], 3)).toEqual(['<OVERFLOW>']);
  });

  it('row 3: the limit is for one message, not for a chunk', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(10, '0'));
    expect(read([bytes(lines.join('\n'), '\n')], 10)).toEqual(lines);
    expect(read([bytes(lines.join('\n'), '\n')], 9)).toEqual(lines.map(() => '<OVERFLOW>'));
    expect(read([bytes('a\nbbbb\nc\n')], 3)).toEqual(['a', '<OVERFLOW>', 'c']);
  });

  it.each([1_024, 16])('row 2: reads a long line in chunks of %i bytes in linear time', (size) => {
    const total = 1 << 20;
    const chunk = new Uint8Array(size).fill(0x61);
    let length = 0;
    const reader = new LineReader({
      maxLineBytes: 1 << 24,
      onLine: (text) => (length = text.length),
      onFault: () => {},
    });
    const touched = bytesTouched(() => {
      for (let sent = 0; sent < total; sent += size) reader.push(chunk);
      reader.push(bytes('\n'));
    });
    expect(length).toBe(total);
    // Each byte is searched once, copied once, moved once or twice more while the buffer grows, and decoded.
    expect(touched).toBeLessThan(6 * total);
  });

  it.each([0, -1, NaN])('refuses a limit of %d', (maxBytes) => {
    expect(() => new LineReader({ maxLineBytes: maxBytes, onLine: () => {}, onFault: () => {} })).toThrow(
      TypeError,
    );
  });
});

describe('callbacks', () => {
  it('a callback that throws loses no line, and push throws the first error', () => {
    const said: string[] = [];
    const reader = new LineReader({
      maxLineBytes: 3,
      onLine(text) {
        said.push(text);
        if (said.length < 3) throw new Error(text);
      },
      onFault(error) {
        said.push(error.code);
        throw error;
      },
    });
    reader.push(bytes('a'));
    expect(() => reader.push(bytes('a\nb\nlong\n', 0xff, '\nc\nd'))).toThrow('aa');
    reader.push(bytes('d\n'));
    expect(said).toEqual(['aa', 'b', 'OVERFLOW', 'PARSE_ERROR', 'c', 'dd']);
    expect(() => reader.push(bytes('long'))).toThrow('longer than 3 bytes');
    expect(() => reader.push(bytes('long'))).not.toThrow();
  });

  it.each([
    ['line', 100],
    ['line', 3],
    ['fault', 3],
  ] as const)('stop inside the %s callback is the end of deliveries, limit %d', (where, maxBytes) => {
    const said: string[] = [];
    const stopAt = (kind: string, text: string): void => {
      said.push(text);
      if (kind === where) reader.stop();
    };
    const reader = new LineReader({
      maxLineBytes: maxBytes,
      onLine: (text) => stopAt('line', text),
      onFault: (error) => stopAt('fault', error.code),
    });
    reader.push(bytes(where === 'line' ? 'a\nb\nc\nd' : 'long\nb\nc\nd'));
    reader.push(bytes('e\n', 0xff, '\n'));
    reader.end();
    expect(said).toEqual([where === 'line' ? 'a' : 'OVERFLOW']);
  });

  it('delivers nothing after the end', () => {
    const said: string[] = [];
    const reader = new LineReader({
      maxLineBytes: 3,
      onLine: (text) => said.push(text),
      onFault: ({ code }) => said.push(code),
    });
    reader.push(bytes('a'));
    reader.end();
    reader.push(bytes('b\n'));
    reader.end();
    expect(said).toEqual(['TRUNCATED']);
  });
});
