import { TransportError } from '@rxmcp/transport';
import { concat, defer, finalize, NEVER, of, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InterceptedRequest } from '../../src/index.js';
import { RxmcpError, RpcError } from '../../src/index.js';
import { retry } from '../../src/interceptors/index.js';
import { drive, result, step } from './driven.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = () => new TransportError('CONNECTION_LOST', 'cut', { outcome: 'unknown' });
const unsent = () => new TransportError('DIAL_FAILED', 'nobody', { outcome: 'not-sent' });
const late = () => new RxmcpError('TIMEOUT', 'late', { outcome: 'unknown', retryable: true });
const busy = (retryAfterMs: number) =>
  new RpcError(-31001, 'busy', { retryable: true, retryAfterMs, executed: false });
const plain = { jitter: false, initialDelayMs: 100 };
const tool: Partial<InterceptedRequest> = { method: 'tools/call', params: { name: 'pay' } };
const list: Partial<InterceptedRequest> = { method: 'tools/list' };

/** Fails with these errors in turn, then answers. */
function failing(...errors: readonly unknown[]) {
  const at: number[] = [];
  const source = () =>
    defer(() => {
      at.push(performance.now());
      const error = errors[at.length - 1];
      return error === undefined ? of(result({ ok: true })) : throwError(() => error);
    });
  return { source, gaps: () => at.slice(1).map((ms, i) => ms - (at[i] as number)), count: () => at.length };
}

describe('retry', () => {
  it.each([
    ['a loss', lost()],
    ['a deadline', late()],
  ])('replays after %s read-only requests only', async (_what, error) => {
    for (const method of ['tools/list', 'resources/read', 'prompts/get', 'completion/complete']) {
      const server = failing(error);
      const { seen } = drive(retry(plain), server.source, { method });
      await vi.advanceTimersByTimeAsync(100);
      expect(seen).toEqual([{ ok: true }, 'complete']);
    }
    const server = failing(error);
    const { seen } = drive(retry(plain), server.source, tool);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual([error]);
    expect(seen[0]).toMatchObject({ outcome: 'unknown' });
  });

  it('replays tools whose last list declares this safe, separately for each remote', async () => {
    const again = retry(plain);
    const learn = (owner: object, annotations: object, params = {}) =>
      drive(again, () => of(result({ tools: [null, { name: 'pay', annotations }] })), {
        ...list,
        owner,
        params,
      });
    const tries = async (owner: object): Promise<number> => {
      const server = failing(lost());
      drive(again, server.source, { ...tool, owner });
      await vi.advanceTimersByTimeAsync(1_000);
      return server.count();
    };
    const [one, other] = [{}, {}];
    learn(one, { idempotentHint: true });
    expect([await tries(one), await tries(other)]).toEqual([2, 1]);
    learn(one, { readOnlyHint: false });
    expect(await tries(one)).toBe(1);
    learn(one, { readOnlyHint: true }, { cursor: 'a' });
    expect(await tries(one)).toBe(2);
    drive(again, () => of(result({ tools: [] })), { ...list, owner: one });
    expect(await tries(one)).toBe(1);
  });

  it('a custom rule replaces the declared one', async () => {
    const server = failing(lost());
    drive(retry({ ...plain, isRepeatable: ({ params }) => params.name === 'pay' }), server.source, tool);
    const reading = failing(lost());
    drive(retry({ ...plain, isRepeatable: () => false }), reading.source, list);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([server.count(), reading.count()]).toEqual([2, 1]);
  });

  it('treats a rule that throws as a no, and reports it', async () => {
    const faults: unknown[] = [];
    const error = lost();
    const server = failing(error);
    const throwing = retry({
      ...plain,
      isRepeatable: () => {
        throw new Error('odd');
      },
    });
    const { seen } = drive(throwing, server.source, { ...list, fault: (fault) => void faults.push(fault) });
    await vi.advanceTimersByTimeAsync(1_000);
    expect([seen, server.count()]).toEqual([[error], 1]);
    expect(faults).toMatchObject([{ code: 'HANDLER_FAILED', cause: { message: 'odd' } }]);
  });

  it('retries any request that was not sent or was refused temporarily, and waits as long as the server says', async () => {
    const server = failing(unsent(), busy(700), busy(1));
    const { seen } = drive(retry(plain), server.source, tool);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([{ ok: true }, 'complete']);
    expect(server.gaps()).toEqual([100, 700, 400]);
  });

  it.each<[string, unknown]>([
    ['a response', new RpcError(-32602, 'bad')],
    ['one that is retryable but may have worked', new RpcError(-31999, 'x', { retryable: true })],
    ['a refusal that may have come of its handler', new RpcError(-31001, 'x', { retryable: true })],
    ['a missing capability', new RxmcpError('CAPABILITY_NOT_SUPPORTED', 'none')],
    ['a wait that is too long', busy(60_000)],
    ['something else', new TypeError('odd')],
  ])('ends with %s', async (_what, error) => {
    const server = failing(error);
    const { seen } = drive(retry(plain), server.source, tool);
    await vi.advanceTimersByTimeAsync(100_000);
    expect([seen, server.count()]).toEqual([[error], 1]);
  });

  it('stops retrying after the last attempt, and does not report as unsent what may have been executed before', async () => {
    const first = late();
    const server = failing(first, unsent(), unsent());
    const { seen } = drive(retry({ ...plain, maxAttempts: 3 }), server.source, list);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([seen, server.count()]).toEqual([[first], 3]);
  });

  it('jitter takes a random part of each pause', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.25);
    const server = failing(lost(), lost());
    drive(retry({ initialDelayMs: 100 }), server.source, list);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.gaps()).toEqual([25, 50]);
    random.mockRestore();
  });

  it('progress grows over all attempts', async () => {
    let tries = 0;
    const source = () =>
      defer(() => concat(of(step(1), step(2)), ++tries < 2 ? throwError(lost) : of(step(3), result())));
    const { seen } = drive(retry(plain), source, list);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual([1, 2, 3, {}, 'complete']);
  });

  it('unsubscribing ends the attempt or the pause', async () => {
    let left = 0;
    const trying = drive(retry(plain), () => NEVER.pipe(finalize(() => void (left += 1))), list);
    trying.subscription.unsubscribe();
    const server = failing(lost());
    drive(retry(plain), server.source, list).subscription.unsubscribe();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([left, server.count(), vi.getTimerCount()]).toEqual([1, 1, 0]);
  });
});
