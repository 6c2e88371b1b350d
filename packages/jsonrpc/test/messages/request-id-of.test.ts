import { expect, it } from 'vitest';
import { WireError } from '../../src/index.js';
import { withKnownRequestId, withRequestId } from '../../src/messages/response-id.js';

const error = new WireError('TOO_LARGE', 'too large', { rpcCode: -32600, cause: 'why' });

it.each([
  [{ id: 1, result: {} }, 1],
  [{ id: 'a', error: {} }, 'a'],
  [{ id: 1, method: 'x', result: {} }, undefined],
  [{ id: 1 }, undefined],
  [{ id: null, result: {} }, undefined],
  [{ id: 1.5, result: {} }, undefined],
  [{ result: {} }, undefined],
  [Object.create({ id: 1, result: {} }), undefined],
  [[], undefined],
  [null, undefined],
  ['text', undefined],
])('the error of %j responds to %j', (value, id) => {
  const named = withRequestId(error, value);
  expect(named.respondsTo).toBe(id);
  expect(named === error).toBe(id === undefined);
  expect(named).toMatchObject({ code: 'TOO_LARGE', message: 'too large', rpcCode: -32600, cause: 'why' });
});

it('runs no getter of a value that it does not know', () => {
  const value = {
    id: 1,
    get result(): never {
      throw new Error('was run');
    },
  };
  expect(withRequestId(error, value)).toBe(error);
  expect(withKnownRequestId(error, undefined)).toBe(error);
  expect(withKnownRequestId(error, 7).respondsTo).toBe(7);
});
