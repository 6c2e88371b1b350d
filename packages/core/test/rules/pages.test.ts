import { describe, expect, it } from 'vitest';
import { estimateBytes } from '../../src/base/json-size.js';
import { once } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';

const spec = { method: 'tools/list', member: 'tools', capability: 'tools', decode: (e: unknown) => e };

/** Walks a list with the given pages; without a bound it never ends. */
async function walk(page: (number: number) => { tools: unknown[]; nextCursor?: unknown }) {
  let asked = 0;
  const server = rawServer(() => ({ result: page((asked += 1)) }), { capabilities: { tools: {} } });
  const remote = await connected(server);
  const end = await once(getRemoteLink(remote).pages(spec)).catch((e: unknown) => e as Error);
  return { end, asked };
}

const refused = (words: RegExp): unknown =>
  expect.objectContaining({
    code: 'INVALID_RESULT',
    outcome: 'answered',
    message: expect.stringMatching(new RegExp(`"tools/list".*${words.source}`)) as string,
  });

describe('a list without an end', () => {
  it('ends with more than 100,000 entries', async () => {
    const tools = Array.from({ length: 50_000 }, () => 0);
    const { end, asked } = await walk((n) => ({ tools, nextCursor: String(n) }));
    expect(end).toEqual(refused(/100000 entries/));
    expect(asked).toBe(3);
    const all = await walk((n) => ({ tools, ...(n === 1 ? { nextCursor: 'b' } : {}) }));
    expect(all.end).toHaveLength(100_000);
  });

  it('counts invalid entries too', async () => {
    const tools = Array.from({ length: 50_000 }, () => 0);
    let asked = 0;
    const server = rawServer(() => ({ result: { tools, nextCursor: String((asked += 1)) } }), {
      capabilities: { tools: {} },
    });
    const remote = await connected(server);
    remote.faults$.subscribe();
    const none = getRemoteLink(remote).pages({ ...spec, decode: () => undefined });
    await expect(once(none)).rejects.toEqual(refused(/100000 entries/));
    expect(asked).toBe(3);
  });

  it('ends when its pages together are larger than 64 MiB', async () => {
    const tools = [{ name: 'big', description: ['x'.repeat(5_000_000)] }];
    const { end, asked } = await walk((n) => ({ tools, nextCursor: String(n) }));
    expect(end).toEqual(refused(/67108864 bytes/));
    expect(asked).toBe(14);
  });

  it('is measured by its text and by its values, no further than to the limit', () => {
    expect(estimateBytes({ name: ['abc', 1, null, {}] }, 1_000)).toBe(6 * 32 + 'name'.length + 'abc'.length);
    const values = Array.from({ length: 100_000 }, () => ({}));
    expect(estimateBytes(values, Infinity)).toBe(100_001 * 32);
    expect(estimateBytes(values, 3_200)).toBe(101 * 32);
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(estimateBytes(deep, Infinity)).toBe(100_001 * 32);
  });

  it('may not use a cursor without an end', async () => {
    const { end, asked } = await walk((n) => ({ tools: [], nextCursor: `${n}`.repeat(65_537) }));
    expect(end).toEqual(refused(/cursor that is not a string of at most 65536 characters/));
    expect(asked).toBe(1);
    expect(String(end).length).toBeLessThan(300);
    const long = await walk((n) => ({ tools: [n], ...(n === 1 ? { nextCursor: 'c'.repeat(65_536) } : {}) }));
    expect(long.end).toEqual([1, 2]);
  });
});

it('a list is read again from its beginning where the server no longer knows a cursor, for 192 pages in all', async () => {
  const changing = async (isKnown: (walks: number) => boolean) => {
    let walks = 0;
    let asked = 0;
    const server = rawServer(
      ({ params }) => {
        asked += 1;
        if (params?.['cursor'] !== undefined)
          return isKnown(walks)
            ? { result: { tools: ['last'] } }
            : { error: { code: -32602, message: 'unknown cursor' } };
        walks += 1;
        return { result: { tools: [`first of ${walks}`], nextCursor: `${walks}` } };
      },
      { capabilities: { tools: {} } },
    );
    const remote = await connected(server);
    const end: unknown = await once(getRemoteLink(remote).pages(spec)).catch((e: unknown) => e);
    return { end, asked };
  };
  expect(await changing((walks) => walks === 3)).toEqual({ end: ['first of 3', 'last'], asked: 6 });
  // Each of 191 walks has a page and an error.
  expect(await changing(() => false)).toEqual({ end: refused(/192 pages/), asked: 383 });
});
