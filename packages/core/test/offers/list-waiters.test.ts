import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RxmcpError } from '../../src/base/errors.js';
import { ListWaiters } from '../../src/offers/list-waiters.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const late = (): RxmcpError => new RxmcpError('OFFER_TIMEOUT', 'late');
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Each of `count` requests finds `name`, once a list has it. */
function waiting(count: number) {
  const waiters = new ListWaiters<readonly string[]>(1_000, late);
  const ends: unknown[] = [];
  let list: readonly string[] = [];
  let lookups = 0;
  const add = (name: string): void => {
    const finds = (): boolean => {
      lookups += 1;
      return list.includes(name);
    };
    waiters.add(finds).then(
      (found) => ends.push([name, found]),
      (error: RxmcpError) => ends.push([name, error.code]),
    );
  };
  for (let index = 0; index < count; index++) add(`${index}`);
  return {
    waiters,
    ends,
    add,
    lookups: () => lookups,
    listed(names: readonly string[], isWhole = false) {
      list = names;
      waiters.listed(names, isWhole);
    },
  };
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

describe('the requests that wait for a list', () => {
  it.each([false, true])(
    'are looked up and answered a few in a turn, all of them once: whole %s',
    async (isWhole) => {
      const { ends, lookups, listed } = waiting(500);
      const names = numbers(500);
      listed(names, isWhole);
      let most = 0;
      for (let before = 0; before < 500; before = ends.length) {
        await turn();
        most = Math.max(most, ends.length - before);
      }
      expect(most).toBeLessThanOrEqual(32);
      expect(ends).toEqual(names.map((name) => [name, names]));
      expect(lookups()).toBe(isWhole ? 0 : 500);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('are looked up in the newest list, also those that were looked up in the one before', async () => {
    const { ends, listed } = waiting(100);
    listed(['99']);
    expect(ends).toEqual([]);
    listed(['0', '99']);
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    expect(ends.map((end) => (end as [string])[0]).sort()).toEqual(['0', '99']);
    listed([], true);
    await vi.waitFor(() => expect(ends).toHaveLength(100));
  });

  it('are rejected in time, those in the middle of a look as well, and later ones have their own time', async () => {
    const { ends, add, lookups, listed } = waiting(100);
    listed(['1']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(100);
    const before = lookups();
    add('100');
    await turn();
    await vi.advanceTimersByTimeAsync(999);
    expect(ends).toHaveLength(100);
    expect(lookups()).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends.at(-1)).toEqual(['100', 'OFFER_TIMEOUT']);
  });
});
