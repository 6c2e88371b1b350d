import { expect, it } from 'vitest';
import { busy, complain, type HttpExchange, reject } from '../../src/internal.js';

function answered(answer: (exchange: HttpExchange) => void): unknown {
  let given: unknown;
  answer({
    respond: (status: number, headers: object, text = '') => {
      given = { status, headers, body: JSON.parse(text) as unknown };
    },
  } as HttpExchange);
  return given;
}

const json = { 'content-type': 'application/json' };

it('a complaint is a JSON-RPC error, with what it has', () => {
  expect(answered((to) => complain(to, { status: 400, message: 'no' }))).toEqual({
    status: 400,
    headers: json,
    body: { jsonrpc: '2.0', error: { code: -32600, message: 'no' } },
  });
  const whole = {
    status: 404,
    message: 'no',
    code: -1,
    id: null,
    headers: { allow: 'POST' },
    data: { a: 1 },
  };
  expect(answered((to) => complain(to, whole))).toEqual({
    status: 404,
    headers: { ...json, allow: 'POST' },
    body: { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no', data: { a: 1 } } },
  });
});

it('a busy server says when to try again', () => {
  const data = (retryAfterMs: number) => ({
    code: -31001,
    message: 'full',
    data: { retryable: true, retryAfterMs, executed: false },
  });
  expect(answered((to) => busy(to, 'full'))).toEqual({
    status: 503,
    headers: { ...json, 'retry-after': '5' },
    body: { jsonrpc: '2.0', error: data(5_000) },
  });
  expect(answered((to) => busy(to, 'full', 2, { connection: 'close' }))).toEqual({
    status: 503,
    headers: { ...json, 'retry-after': '2', connection: 'close' },
    body: { jsonrpc: '2.0', error: data(2_000) },
  });
});

it('what the guard rejects is a complaint, and can be tried again where the guard is not available', () => {
  const denied = (status: 401 | 503) =>
    ({ allowed: false, status, headers: { 'x-a': '1' }, message: 'no' }) as const;
  expect(answered((to) => reject(to, denied(401)))).toMatchObject({
    status: 401,
    headers: { 'x-a': '1' },
    body: { error: { code: -32600, message: 'no' } },
  });
  expect(answered((to) => reject(to, denied(503)))).toMatchObject({
    body: { error: { code: -31001, data: { retryable: true, retryAfterMs: 5_000, executed: false } } },
  });
});
