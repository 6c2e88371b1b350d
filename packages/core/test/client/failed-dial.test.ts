import { TransportError } from '@rxmcp/transport';
import { expect, it } from 'vitest';
import { defineClient } from '../../src/index.js';

const client = defineClient({ info: { name: 'test', version: '1.0.0' } });
const failingWith = (cause: unknown) => ({ name: 'none', dial: () => Promise.reject(cause) });

it.each([new Error('no route'), 'no route'])(
  'a dial that fails with %o may be tried again',
  async (cause) => {
    const error: unknown = await client
      .connect(failingWith(cause) as never)
      .catch((failure: unknown) => failure);
    expect(TransportError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'DIAL_FAILED',
      message: 'no route',
      outcome: 'not-sent',
      retryable: true,
      cause,
    });
  },
);

it('a dial that fails with an error of a transport fails with that error', async () => {
  const cause = new TransportError('UNAUTHORIZED', 'no token');
  await expect(client.connect(failingWith(cause) as never)).rejects.toBe(cause);
});
