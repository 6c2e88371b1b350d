import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, WireError } from '../../src/index.js';
import { inOwnProcess } from '../../../../vitest.process.js';
import { rounds } from '../../../../vitest.rounds.js';

describe('decode', () => {
  it.each(['{"jsonrpc":"2.0","id":1,"method":"m"}', ' [ {"id" : 1} , 2 ] ', '"text"', 'null', '1e309', '{}'])(
    'reads %s',
    (text) => {
      expect(decode(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    '',
    ' ',
    '{',
    '{"id":1',
    "{'id':1}",
    '{"id":1,}',
    'NaN',
    '{"id":1}{"id":2}',
    '{"a":"\n"}',
    '\u00a0{}',
  ])('row 12: refuses %j', (text) => {
    expect(() => decode(text)).toThrow(expect.objectContaining({ code: 'PARSE_ERROR', rpcCode: -32700 }));
  });

  it('row 7: refuses a byte order mark around JSON, and leaves one inside a string alone', () => {
    for (const text of ['\ufeff{}', '{}\ufeff', '{\ufeff"a":1}']) {
      expect(() => decode(text)).toThrow(expect.objectContaining({ code: 'PARSE_ERROR' }));
    }
    expect(decode('{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
  });

  it('row 8: keeps the line separators of Unicode inside strings', () => {
    expect(decode('{"a":"\u2028\u2029"}')).toEqual({ a: '\u2028\u2029' });
  });

  it('row 18: keeps __proto__ as an own member', () => {
    const value = decode('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"admin":true}}}');
    const { params } = value as { params: Record<string, unknown> };
    expect(Object.keys(params)).toEqual(['__proto__']);
    expect(params.admin).toBeUndefined();
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  });

  it('throws nothing but WireError for random text', () => {
    const jsonish = fc.string({
      unit: fc.constantFrom(...'{}[]":,\\ud0012.e-+ tfn\ufeff\n', '"id"', '\\u00', '{"a":'),
    });
    fc.assert(
      fc.property(fc.oneof(jsonish, fc.string({ unit: 'binary' })), (text) => {
        onlyWireError(text);
      }),
      { numRuns: rounds(3_000) },
    );
  });

  it('throws nothing but WireError for JSON that was cut or changed', () => {
    const text =
      '{"jsonrpc":"2.0","id":"\\u00e9","method":"m","params":{"a":[1,{"b":"\\"id\\":"}],"id":null}}';
    for (let at = 0; at <= text.length; at++) {
      onlyWireError(text.slice(0, at));
      onlyWireError(text.slice(at));
      for (const letter of '"\\{}[]:,\0') onlyWireError(text.slice(0, at) + letter + text.slice(at + 1));
    }
  });

  it('answers as JSON.parse does wherever no guard speaks', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const [value, error] = outcome(text);
        if (error === undefined) expect(value).toEqual(JSON.parse(text));
        else
          expect(error).toMatchObject({
            code: 'INVALID_MESSAGE',
            message: expect.stringContaining('occurs twice'),
          });
      }),
    );
  });
});

it('the error of a text that is not JSON says what is wrong, and does not keep the text', async () => {
  expect(outcome('{"a":1]')[1]).toMatchObject({
    code: 'PARSE_ERROR',
    cause: { name: 'SyntaxError', message: expect.stringContaining('JSON') as string },
  });
  const fixture = new URL('./fixtures/kept-errors.ts', import.meta.url);
  const { errors, grown } = await inOwnProcess<{ errors: string[]; grown: number }>(fixture);
  expect(errors).toEqual(errors.map(() => 'WireError: the text is not valid JSON'));
  expect(errors).toHaveLength(15);
  // All the texts would be 15 MB; the latest one may not be collected yet.
  expect(grown).toBeLessThan(3_000_000);
});

function outcome(text: string): readonly [unknown, unknown] {
  try {
    return [decode(text), undefined];
  } catch (error) {
    return [undefined, error];
  }
}

function onlyWireError(text: string): void {
  const [, error] = outcome(text);
  if (error !== undefined && !(error instanceof WireError)) throw error;
}
