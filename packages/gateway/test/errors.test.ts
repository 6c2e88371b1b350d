import { RpcError, RxmcpError, TransportError } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import { failureOf, tooManyWatches, unavailable } from '../src/errors.js';

const outcome = 'unknown';
const rxmcpError = (code: ConstructorParameters<typeof RxmcpError>[0]): RxmcpError =>
  new RxmcpError(code, 'no', { outcome });
const transportError = (code: 'OVERFLOW' | 'CONNECTION_LOST'): TransportError =>
  new TransportError(code, 'no', { outcome });
const wait = { retryable: true, retryAfterMs: 1_000 };

describe('the error of a call says whether it may have run, and when to try again', () => {
  it.each([
    ['a result beyond a limit', transportError('OVERFLOW'), -31_001, { ...wait, outcome }],
    ['a result without room in the memory', rxmcpError('OVERFLOW'), -31_001, { ...wait, outcome }],
    ['too many calls', rxmcpError('TOO_MANY_CALLS'), -31_001, wait],
    [
      'no connection',
      transportError('CONNECTION_LOST'),
      -31_003,
      { retryable: true, code: 'CONNECTION_LOST', outcome },
    ],
    ['a closed connection', rxmcpError('CLOSED'), -31_003, { retryable: true, code: 'CLOSED', outcome }],
    ['a deadline', rxmcpError('TIMEOUT'), -31_004, { retryable: true, code: 'TIMEOUT', outcome }],
    ['a wrong result', rxmcpError('INVALID_RESULT'), -32_603, { code: 'INVALID_RESULT', outcome }],
    ['a wrong message', rxmcpError('PROTOCOL_ERROR'), -32_603, { code: 'PROTOCOL_ERROR', outcome }],
    ['too many rounds', rxmcpError('TOO_MANY_ROUNDS'), -32_603, { code: 'TOO_MANY_ROUNDS', outcome }],
    ['a missing resource', new RpcError(-32_602, 'no', { uri: 'a:b' }), -32_002, { uri: 'a:b' }],
    ['wrong parameters', new RpcError(-32_602, 'no', { uri: 1 }), -32_602, { uri: 1 }],
    ['another code', new RpcError(-31_999, 'no', { uri: 'a:b' }), -31_999, { uri: 'a:b' }],
  ])('%s', (_what, error, code, data) => {
    const failure = failureOf('shop', error) as RpcError;
    expect(RpcError.is(failure)).toBe(true);
    expect([failure.code, failure.data]).toEqual([code, data]);
  });

  it('an error that the gateway does not know stays as it is', () => {
    const error = rxmcpError('CANCELLED');
    expect(failureOf('shop', error)).toBe(error);
  });

  it('a server that never connected for an unknown reason', () => {
    const { data } = unavailable('shop', new Error('secret'));
    expect(data).toEqual({ retryable: true, code: 'CLOSED', outcome: 'not-sent' });
  });

  it('a subscription too many', () => {
    expect(tooManyWatches('shop').data).toEqual({ ...wait, executed: false });
  });
});
