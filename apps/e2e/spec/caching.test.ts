import type { JsonObject } from '@rxmcp/jsonrpc';
import { once } from 'rxmcp';
import { cache } from 'rxmcp/interceptors';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { clause } from './stage/clause.js';
import type { Frame } from './stage/frame.js';
import { clientOf, rawServer } from './stage/raw-server.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A client with a cache, and the cursors of the pages that it asked for. */
async function cached(answer: (cursor: unknown, times: number) => object, who: () => string = () => 'ada') {
  const asked: unknown[] = [];
  const server = rawServer((frame: Frame) => {
    if (frame.method !== 'tools/list') return undefined;
    asked.push(frame.params?.['cursor']);
    return answer(frame.params?.['cursor'], asked.length);
  });
  const { remote } = await clientOf(server, { interceptors: [cache({ partitionKey: who })] });
  const page = (cursor?: string): Promise<JsonObject> =>
    once(remote.request('tools/list', cursor === undefined ? {} : { cursor }));
  return { asked, page };
}

const complete = (hints: object): object => ({
  result: { resultType: 'complete', tools: [], cacheScope: 'public', ...hints },
});

describe('a client with a cache', () => {
  clause(
    ['26/caching/4', '26/caching/6', '26/caching/7'],
    'takes 0, nothing and less than 0 for stale at once',
    async () => {
      for (const hints of [{ ttlMs: 0 }, {}, { ttlMs: -1 }, { ttlMs: -60_000 }]) {
        const { asked, page } = await cached(() => complete(hints));
        await page();
        await page();
        expect(asked, JSON.stringify(hints)).toHaveLength(2);
      }
    },
  );

  clause(['26/caching/5'], 'treats a result as fresh as long as its ttl', async () => {
    const { asked, page } = await cached(() => complete({ ttlMs: 5_000 }));
    await page();
    await vi.advanceTimersByTimeAsync(4_900);
    await page();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(101);
    await page();
    expect(asked).toHaveLength(2);
  });

  clause(
    ['26/caching/12'],
    'stores a private result only for the authorization that it was read with',
    async () => {
      let who = 'ada';
      const { asked, page } = await cached(
        () => complete({ ttlMs: 5_000, cacheScope: 'private' }),
        () => who,
      );
      await page();
      who = 'bob';
      await page();
      expect(asked).toHaveLength(2);
      who = 'ada';
      await page();
      expect(asked).toHaveLength(2);
    },
  );

  clause(
    ['26/caching/13', '26/caching/2'],
    'reads a page that is stale by its cursor, and takes no page for another',
    async () => {
      const { asked, page } = await cached((cursor) =>
        complete({ nextCursor: `after ${String(cursor)}`, ttlMs: cursor === 'two' ? 1_000 : 60_000 }),
      );
      const cursors = [undefined, 'two', 'three', ''];
      const read = async (): Promise<unknown[]> => {
        const pages: JsonObject[] = [];
        for (const cursor of cursors) pages.push(await page(cursor));
        return pages.map(({ nextCursor }) => nextCursor);
      };
      const all = cursors.map((cursor) => `after ${String(cursor)}`);
      expect(await read()).toEqual(all);
      expect(asked).toEqual(cursors);
      await vi.advanceTimersByTimeAsync(1_001);
      expect(await read()).toEqual(all);
      expect(asked).toEqual([...cursors, 'two']);
    },
  );

  clause(['26/caching/15'], 'forgets all pages when one of their cursors is refused', async () => {
    const { asked, page } = await cached((cursor) =>
      cursor === 'gone' ? { error: { code: -32602, message: 'what cursor?' } } : complete({ ttlMs: 60_000 }),
    );
    await page();
    await page('two');
    await expect(page('gone')).rejects.toMatchObject({ code: -32602 });
    await page();
    await page('two');
    expect(asked).toEqual([undefined, 'two', 'gone', undefined, 'two']);
  });
});
