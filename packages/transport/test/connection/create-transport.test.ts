import { afterEach, expect, test, vi } from 'vitest';
import { type Connection, createTransport, TransportError } from '../../src/index.js';
import { rig } from '../loop.js';

afterEach(() => void vi.useRealTimers());

test('a dial resolves with the connection, and later aborts do not concern it', async () => {
  const { connection, closes } = rig({}, {}, false);
  const signals: AbortSignal[] = [];
  const transport = createTransport('x', async (signal) => (signals.push(signal), connection));
  const user = new AbortController();
  expect(await transport.dial({ signal: user.signal })).toBe(connection);
  user.abort();
  expect([signals[0]?.aborted, closes]).toEqual([false, []]);
});

test('an aborted dial rejects, releases what was opened, and closes a connection that comes late', async () => {
  const { connection, closes } = rig({}, {}, false);
  let open: (connection: Connection) => void = () => undefined;
  const signals: AbortSignal[] = [];
  const transport = createTransport('x', (signal) => {
    signals.push(signal);
    return new Promise((resolve) => (open = resolve));
  });
  const user = new AbortController();
  const dialled = transport.dial({ signal: user.signal });
  user.abort();
  await expect(dialled).rejects.toMatchObject({ code: 'DIAL_ABORTED', outcome: 'not-sent' });
  open(connection);
  await Promise.resolve();
  expect([signals[0]?.aborted, closes]).toEqual([true, [1]]);
  await expect(transport.dial({ signal: user.signal })).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
  expect(signals).toHaveLength(1);
});

test('a dial fails with its cause, with a TransportError as it is, and after its time', async () => {
  const failing = (cause: unknown) => createTransport('x', () => Promise.reject(cause)).dial();
  await expect(failing(new Error('refused'))).rejects.toMatchObject({
    code: 'DIAL_FAILED',
    message: 'the dial of "x" failed: refused',
  });
  await expect(failing(new TransportError('UNAUTHORIZED', 'no'))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
  vi.useFakeTimers();
  const late = createTransport('x', () => new Promise(() => undefined), { connectTimeoutMs: 2_000 }).dial();
  const rejected = expect(late).rejects.toMatchObject({ code: 'DIAL_FAILED' });
  await vi.advanceTimersByTimeAsync(2_000);
  await rejected;
});
