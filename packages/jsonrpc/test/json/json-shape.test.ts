import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decode } from '../../src/index.js';
import { CountedText } from '../touched.js';
import { rounds } from '../../../../vitest.rounds.js';

const tooDeep = expect.objectContaining({
  code: 'INVALID_MESSAGE',
  rpcCode: -32600,
  message: expect.stringContaining('deeper'),
});
const tooMany = expect.objectContaining({
  code: 'INVALID_MESSAGE',
  rpcCode: -32600,
  message: expect.stringContaining('values'),
});

/** JSON that nests `depth` objects or arrays. */
function nested(depth: number, open = '[', close = ']'): string {
  return open.repeat(depth) + '1' + close.repeat(depth);
}

describe('depth', () => {
  it.each([10, 100, 127, 128])('row 19: accepts %d', (depth) => {
    expect(decode(nested(depth))).toEqual(JSON.parse(nested(depth)));
    expect(() => decode(nested(depth, '{"a":', '}'))).not.toThrow();
  });

  it.each([129, 130, 1_000, 5_000, 10_000, 50_000, 200_000])('row 19: refuses %d before parsing', (depth) => {
    expect(() => decode(nested(depth))).toThrow(tooDeep);
    expect(() => decode(nested(depth, '{"a":', '}'))).toThrow(tooDeep);
    expect(() => decode('['.repeat(depth))).toThrow(tooDeep);
    expect(() => decode(`"\\"${'['.repeat(depth)}`)).toThrow(
      expect.objectContaining({ code: 'PARSE_ERROR' }),
    );
  });

  it('refuses the shortest texts that nest one deeper than the limit, and takes the others', () => {
    const kinds = fc.array(fc.boolean(), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(kinds, (arrays) => {
        const text = arrays.reduceRight(
          (inner, array) => (array ? `[${inner}]` : inner === '' ? '{}' : `{"":${inner}}`),
          '',
        );
        expect(() => decode(text, { maxDepth: arrays.length - 1, maxValues: 100 })).toThrow(tooDeep);
        expect(decode(text, { maxDepth: arrays.length, maxValues: 100 })).toEqual(JSON.parse(text));
      }),
    );
  });

  it('counts no brackets inside strings, and siblings only once', () => {
    const text = JSON.stringify({
      text: '[{"\\'.repeat(1_000),
      rows: Array.from({ length: 500 }, () => [{}]),
    });
    expect(decode(text)).toEqual(JSON.parse(text));
  });
});

describe('values', () => {
  it('row 20: refuses a million items or 1e5 members beyond the limit, without stalling', () => {
    const long = new CountedText(`[${'0,'.repeat(1_000_000)}0]`);
    const parse = vi.spyOn(JSON, 'parse');
    expect(() => decode(long.text)).toThrow(tooMany);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    // Once to count, up to the limit, and once to find whom it answers.
    expect(long.touched).toBeLessThan(2 * long.length);
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":[1]`);
    expect(() => decode(`{${members.join(',')}}`)).toThrow(tooMany);
  });

  it('row 20: takes 1e1000000 for what JSON.parse takes it for', () => {
    expect(decode('[1e1000000]')).toEqual([Infinity]);
  });

  it('accepts exactly as many as the limit allows', () => {
    expect(decode(`[${'0,'.repeat(199_998)}0]`)).toHaveLength(199_999);
    expect(() => decode(`[${'0,'.repeat(199_999)}0]`)).toThrow(tooMany);
  });

  it('counts no commas inside strings', () => {
    const text = JSON.stringify(['1,[{'.repeat(200_000)]);
    expect(decode(text)).toEqual(JSON.parse(text));
  });
});

it('judges like a walk over the parsed value', () => {
  const spaced = fc.tuple(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom('', ' ', '\t'));
  const limit = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(spaced, limit, limit, ([value, space], maxDepth, maxValues) => {
      const text = JSON.stringify(value, null, space);
      const [depth, nodes] = measure(JSON.parse(text));
      const attempt = (): unknown => decode(text, { maxDepth, maxValues });
      if (depth > maxDepth || nodes > maxValues)
        expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_MESSAGE' }));
      else expect(attempt()).toEqual(JSON.parse(text));
    }),
    { numRuns: rounds(2_000) },
  );
});

function measure(value: unknown): readonly [depth: number, nodes: number] {
  if (typeof value !== 'object' || value === null) return [0, 1];
  const inner = Object.values(value).map(measure);
  return [
    1 + Math.max(0, ...inner.map(([depth]) => depth)),
    inner.reduce((sum, [, nodes]) => sum + nodes, 1),
  ];
}

describe('member names that engines hash by their length alone', () => {
  const filler = '1,'.repeat(200_000 - 100);
  const named = (name: string): string => `{"a":"${filler}","${name}" :1}`;

  it('are refused in large messages', () => {
    expect(() => decode(named('n'.repeat(16_383)))).not.toThrow();
    expect(() => decode(named('n'.repeat(16_383)).concat(' '.repeat(200)))).not.toThrow();
    expect(() => decode(named('n'.repeat(16_384)).concat(' '.repeat(200)))).toThrow(
      expect.objectContaining({
        code: 'INVALID_MESSAGE',
        message: 'the message holds more than 16383 characters in a name',
      }),
    );
  });

  it('values may be as long', () => {
    expect(() => decode(`["${'n'.repeat(500_000)}"]`)).not.toThrow();
  });
});
