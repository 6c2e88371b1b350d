import { describe, expect, it } from 'vitest';
import { readResponseId } from '../../src/messages/response-id.js';
import { decode } from '../../src/encoding/decode.js';
import { CountedText } from '../touched.js';

const deep = (n: number): string => '['.repeat(n) + ']'.repeat(n);
const codeOf = (text: string): unknown => {
  try {
    return decode(text);
  } catch (error) {
    return error;
  }
};

describe('the request that unparsed text answers', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"result":{"x":${deep(200)}}}`, 7],
    [`{"result":{"id":1,"method":"x","x":${deep(200)}}, "id" : "a\\"b" }`, 'a"b'],
    [`{"error":{"data":${deep(200)}},"id":0}`, 0],
    ['{"result":{},"id":""}', ''],
    [`{"result":${deep(100_000)},"id":-3}`, -3],
  ])('%# is known', (text, id) => expect(readResponseId(text)).toBe(id));

  it.each([
    '{"id":1,"method":"x","params":{}}',
    '{"id":1,"result":{},"method":"x"}',
    '{"id":1,"id":2,"result":{}}',
    '{"id":1,"\\u0069d":2,"result":{}}',
    '{"id":1}',
    '{"result":{}}',
    '{"id":null,"result":{}}',
    '{"id":1.5,"result":{}}',
    '{"id":9007199254740993,"result":{}}',
    `{"id":"${'x'.repeat(300)}","result":{}}`,
    `{"id":${'9'.repeat(5_000)},"result":{}}`,
    '[{"id":1,"result":{}}]',
    '{"a":"id","id"',
    '{"id":',
    '"id"',
    '',
  ])('%s is not', (text) => expect(readResponseId(text)).toBe(undefined));

  it.each([
    `{"jsonrpc":"2.0","id":7,"result":{"x":${deep(200)}}}`,
    `{"jsonrpc":"2.0","id":7,"result":{"x":[${'0,'.repeat(200_000)}0]}}`,
    '{"jsonrpc":"2.0","id":7,"result":{},"result":{}}',
  ])('is the id of a message over a limit: %#', (text) => {
    expect(codeOf(text)).toMatchObject({ code: 'INVALID_MESSAGE', respondsTo: 7 });
  });

  it('takes time in proportion to the text', () => {
    const long = new CountedText(`{"id":1,${'"a\\\\":'.repeat(10_000)}`);
    readResponseId(long.text);
    expect(long.touched).toBeLessThan(8 * long.length);
  });
});
