import type { Connection, Transport } from '@rxmcp/transport';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineClient } from '../../src/index.js';
import { rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const client = defineClient({ info: { name: 'c', version: '1' } });

/** A server that says nothing, or the same to all, over a transport whose close takes the given time, or fails. */
function slowToClose(close: () => Promise<void>, response?: object) {
  const silent = rawServer(() => response, { era: 'own' });
  let closes = 0;
  const transport: Transport = {
    name: 'slow',
    dial: async (options) => {
      const connection = await silent.dial(options);
      const slow: Connection = Object.create(connection, {
        close: { value: () => ((closes += 1), close()) },
      }) as Connection;
      slow.start = (receiver) => connection.start(receiver);
      slow.send = (out, envelope) => connection.send(out, envelope);
      return slow;
    },
  };
  return { transport, closes: () => closes };
}

describe('an aborted connect', () => {
  const never = (): Promise<void> => new Promise(() => undefined);
  const failing = (): Promise<void> => Promise.reject(new Error('cannot close'));
  const throwing = (): Promise<void> => {
    throw new Error('cannot even begin to close');
  };

  it.each([
    ['never ends', never],
    ['fails', failing],
    ['throws', throwing],
  ])('ends at once when it is aborted, though closing %s', async (_what, close) => {
    const { transport, closes } = slowToClose(close);
    const abort = new AbortController();
    const errors: unknown[] = [];
    client.connect(transport, { signal: abort.signal }).catch((e: unknown) => errors.push(e));
    await turn();
    abort.abort(new Error('mine'));
    await turn();
    expect(errors).toEqual([expect.objectContaining({ message: 'mine' })]);
    expect(closes()).toBe(1);
  });

  it('ends at its timeout, though closing never ends', async () => {
    const { transport, closes } = slowToClose(never);
    const errors: unknown[] = [];
    client.connect(transport, { timeoutMs: 1_000 }).catch((e: unknown) => errors.push(e));
    await vi.advanceTimersByTimeAsync(999);
    expect([errors, closes()]).toEqual([[], 0]);
    await vi.advanceTimersByTimeAsync(1);
    await turn();
    expect(errors).toMatchObject([{ code: 'TIMEOUT', outcome: 'not-sent' }]);
    expect(closes()).toBe(1);
  });

  it('ends at once when it is aborted while a refused connection is being closed', async () => {
    const { transport } = slowToClose(never, { error: { code: -31999, message: 'no' } });
    const abort = new AbortController();
    const errors: unknown[] = [];
    client.connect(transport, { signal: abort.signal }).catch((e: unknown) => errors.push(e));
    await vi.advanceTimersByTimeAsync(100);
    expect(errors).toEqual([]);
    abort.abort(new Error('mine'));
    await turn();
    expect(errors).toMatchObject([{ code: -31999 }]);
  });
});
