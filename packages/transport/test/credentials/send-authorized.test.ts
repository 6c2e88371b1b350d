import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectTimeout, sendAuthorized } from '../../src/internal.js';

const target = { method: 'POST', url: 'https://mcp.example/mcp?key=secret' };

/** Sends to a server that answers with these statuses; the authorizer has a new token so many times. */
async function sent(statuses: readonly number[], tokens = Infinity) {
  const [credentials, discarded, attempts]: [unknown[], number[], number[]] = [[], [], []];
  let token = 1;
  const auth = {
    headers: () => Promise.resolve({ authorization: `Bearer ${String(token)}` }),
    challenged: (_target: unknown, { attempt, sent: of }: { attempt: number; sent: object }) => {
      expect(of).toEqual({ authorization: `Bearer ${String(token)}` });
      attempts.push(attempt);
      return Promise.resolve((token += 1) <= tokens);
    },
    isWaiting: () => false,
  };
  const left = [...statuses];
  const { status } = await sendAuthorized(
    auth,
    target,
    (headers) => {
      credentials.push(headers['authorization']);
      return Promise.resolve({ status: left.shift() ?? 200, headers: new Headers() });
    },
    (response) => discarded.push(response.status),
  );
  return { status, credentials, discarded, attempts };
}

describe('a request with credentials', () => {
  it('is sent once where it is allowed, whatever else is wrong with it', async () => {
    const credentials = ['Bearer 1'];
    for (const status of [200, 404, 500])
      expect(await sent([status])).toEqual({ status, credentials, discarded: [], attempts: [] });
  });

  it('is sent again after a 401 and after a 403, with what is new', async () => {
    expect(await sent([401, 403])).toEqual({
      status: 200,
      credentials: ['Bearer 1', 'Bearer 2', 'Bearer 3'],
      discarded: [401, 403],
      attempts: [1, 2],
    });
  });

  it('is not sent again where nothing is new, nor more than four times', async () => {
    expect(await sent([401, 401], 1)).toMatchObject({ status: 401, discarded: [401], attempts: [1] });
    const many = await sent([401, 401, 401, 401, 401]);
    expect(many).toMatchObject({ status: 401, discarded: [401, 401, 401, 401], attempts: [1, 2, 3] });
  });

  it('is not sent where the authorizer has none', async () => {
    const failing = (what: 'headers' | 'challenged', cause: unknown) => {
      const auth = {
        headers: () => (what === 'headers' ? Promise.reject(cause as Error) : Promise.resolve({})),
        challenged: () => Promise.reject(cause as Error),
        isWaiting: () => false,
      };
      const send = () => Promise.resolve({ status: 401, headers: new Headers() });
      return sendAuthorized(auth, target, send, () => undefined);
    };
    await expect(failing('headers', new Error('no one is here'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      outcome: 'not-sent',
      message: 'https://mcp.example/mcp requires authorization: no one is here',
    });
    await expect(failing('challenged', 7)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      outcome: 'answered',
      message: 'https://mcp.example/mcp requires authorization: number',
    });
  });
});

describe('the time to connect', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('begins anew while a person is waited for', () => {
    const late = vi.fn();
    let isWaiting = true;
    const auth = { headers: vi.fn(), challenged: vi.fn(), isWaiting: () => isWaiting };
    connectTimeout(100, auth, late);
    vi.advanceTimersByTime(250);
    isWaiting = false;
    vi.advanceTimersByTime(49);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([late.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('ends once, or is cancelled', () => {
    const late = vi.fn();
    connectTimeout(100, undefined, late);
    connectTimeout(100, undefined, late)();
    vi.advanceTimersByTime(1_000);
    expect([late.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
