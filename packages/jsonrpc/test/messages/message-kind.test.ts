import { describe, expect, it } from 'vitest';
import type { RequestId, MessageKind } from '../../src/index.js';
import { messageKind } from '../../src/index.js';
import { invalidReason } from '../../src/internal.js';

const long = 'x'.repeat(257);

const valid: readonly (readonly [MessageKind, string])[] = [
  ['request', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['request', '{"jsonrpc":"2.0","id":0,"method":"ping"}'],
  ['request', '{"jsonrpc":"2.0","id":"","method":"ping"}'],
  ['request', '{"jsonrpc":"2.0","id":-9007199254740991,"method":""}'],
  ['request', `{"jsonrpc":"2.0","id":"${'x'.repeat(256)}","method":"m","params":{},"more":[1]}`],
  ['notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['notification', '{"jsonrpc":"2.0","method":"m","params":{"__proto__":1}}'],
  ['result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['result', '{"result":{"a":1},"jsonrpc":"2.0","id":"a","more":null}'],
  ['error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":""}}'],
  ['error', '{"jsonrpc":"2.0","id":null,"error":{"code":0,"message":"m","data":[]}}'],
  ['error', '{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}'],
];

/** Text, a word that the reason must hold, and the id that a response may carry, `null` for none. */
const invalid: readonly (readonly [text: string, word: string, id: RequestId | null])[] = [
  ['{"id":1,"method":"m"}', 'jsonrpc', 1],
  ['{"jsonrpc":"1.0","id":1,"method":"m"}', 'jsonrpc', 1],
  ['{"jsonrpc":2.0,"id":1,"method":"m"}', 'jsonrpc', 1],
  ['{"jsonrpc":"2.0","id":1}', '"method", "result" and "error"', null],
  ['{"jsonrpc":"2.0","id":1,"method":7}', 'method', 1],
  ['{"jsonrpc":"2.0","id":1,"method":null}', 'method', 1],
  ['{"jsonrpc":"2.0","id":0,"method":"m","params":[]}', 'params', 0],
  ['{"jsonrpc":"2.0","id":"","method":"m","params":null}', 'params', ''],
  ['{"jsonrpc":"2.0","method":"m","params":"p"}', 'params', null],
  ['{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', 'result', null],
  ['{"jsonrpc":"2.0","id":1,"method":"m","error":null}', 'error', null],
  ['{"jsonrpc":"2.0","id":1,"result":null}', 'result', null],
  ['{"jsonrpc":"2.0","id":1,"result":[]}', 'result', null],
  ['{"jsonrpc":"2.0","id":null,"result":{}}', 'id', null],
  ['{"jsonrpc":"2.0","result":{}}', 'id', null],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'error', null],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}', 'error.code', null],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 'error.message', null],
  ['{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}', 'id', null],
];

describe('kindOf', () => {
  it.each(valid)('%s: %s', (kind, text) => {
    expect(messageKind(JSON.parse(text))).toBe(kind);
  });

  it.each(invalid)('invalid: %s', (text, word, id) => {
    const value: unknown = JSON.parse(text);
    expect(messageKind(value)).toBe('invalid');
    expect(invalidReason(value).message).toContain(word);
    expect(invalidReason(value).id ?? null).toBe(id);
    expect('id' in invalidReason(value)).toBe(id !== null);
  });

  it.each(['1', '"x"', 'null', 'true', '[]', '[{"jsonrpc":"2.0","method":"m"}]'])(
    'row 11: %s is not a message',
    (text) => {
      const value: unknown = JSON.parse(text);
      expect(messageKind(value)).toBe('invalid');
      expect(invalidReason(value)).toEqual({
        message: expect.stringMatching(/^a message must be an object, not /),
      });
    },
  );

  it.each(['null', '1.5', '{}', '[]', 'true', '1e309', '9007199254740992', '-9007199254740992', `"${long}"`])(
    'row 14: an id %s makes no request, no notification and no response',
    (id) => {
      for (const rest of ['"method":"m"', '"result":{}']) {
        const value: unknown = JSON.parse(`{"jsonrpc":"2.0","id":${id},${rest}}`);
        expect(messageKind(value)).toBe('invalid');
        expect(invalidReason(value)).toEqual({ message: expect.stringMatching(/^"id" must /) });
      }
    },
  );

  it('row 15: both result and error, or neither, is not a response', () => {
    const error = { code: 1, message: 'm' };
    expect(messageKind({ jsonrpc: '2.0', id: 1, result: {}, error })).toBe('invalid');
    expect(invalidReason({ jsonrpc: '2.0', id: 1, result: {}, error }).message).toContain(
      'exclude each other',
    );
    expect(messageKind({ jsonrpc: '2.0', id: 1 })).toBe('invalid');
  });

  it('keeps its reasons short, whatever was sent', () => {
    const value = { jsonrpc: long, id: long, method: { long } };
    expect(invalidReason(value).message.length).toBeLessThan(100);
    expect(invalidReason({ jsonrpc: '2.0', id: long, method: 'm' }).message.length).toBeLessThan(100);
  });

  it('leaves unknown members where they are', () => {
    const value = JSON.parse(
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":1},"extra":{"y":2}}',
    ) as object;
    const before = JSON.stringify(value);
    expect(messageKind(value)).toBe('request');
    expect(JSON.stringify(value)).toBe(before);
  });
});
