import { expect, test } from 'vitest';
import { TransportError } from '../../src/index.js';

test.each(['DIAL_FAILED', 'DIAL_ABORTED'] as const)('%s is not sent by default', (code) => {
  expect(new TransportError(code, 'no')).toMatchObject({ code, outcome: 'not-sent', retryable: false });
  expect(TransportError.from(new Error('no'), code).outcome).toBe('not-sent');
  expect(new TransportError(code, 'no', { outcome: 'unknown' }).outcome).toBe('unknown');
});

test('any other code leaves open how far a message had come', () => {
  // A send that was under way is CLOSED as well, and what is TOO_LARGE may have been a response.
  for (const code of ['CLOSED', 'TOO_LARGE', 'CONNECTION_LOST', 'SEND_FAILED'] as const) {
    expect(new TransportError(code, 'no').outcome).toBe('unknown');
  }
});
