import { concat, defer, of, switchMap, throwError, timer } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reconnect, TransportError } from '../../src/index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  [29_999, 2],
  [30_000, 4],
])(
  'by default a connection that lives %i ms is tried again: %i connections',
  async (livesMs, connections) => {
    let made = 0;
    const source = defer(() => {
      made += 1;
      const lost = throwError(() => new TransportError('CONNECTION_LOST', 'lost', { outcome: 'not-sent' }));
      return concat(of('connected'), timer(livesMs).pipe(switchMap(() => lost)));
    });
    source.pipe(reconnect({ maxAttempts: 1, jitter: false })).subscribe({ error: () => undefined });
    for (let round = 0; round < 3; round += 1) await vi.advanceTimersByTimeAsync(livesMs + 1_000);
    expect(made).toBe(connections);
  },
);
