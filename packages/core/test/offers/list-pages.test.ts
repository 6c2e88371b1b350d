import { decode } from '@rxmcp/jsonrpc';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { PreparedResult, Subscribable } from '../../src/contract/offer.js';
import { cursorOf, listPages } from '../../src/offers/list-pages.js';
import { liveSet } from '../../src/offers/live-set.js';

interface Thing {
  readonly name: string;
}

function pages(source: readonly Thing[] | Subscribable<readonly Thing[]>, pageSize?: number) {
  const keyOf = (thing: Thing): string => thing.name;
  const set = liveSet({ name: 'things', source, keyOf, content: (all) => all });
  const list = listPages({
    method: 'things/list',
    member: 'things',
    set,
    keyOf,
    entry: (thing) => ({ ...thing }),
    pageSize,
  });
  return { set, list };
}

const five = ['a', 'b', 'c', 'd', ''].map((name) => ({ name }));

it('puts everything in one page and keeps it', () => {
  const { list } = pages(five);
  const page = list({}) as PreparedResult;
  expect(page.value).toEqual({ things: five });
  expect(list({})).toBe(page);
  expect((pages([]).list({}) as PreparedResult).value).toEqual({ things: [] });
});

it('walks in pages, without a further page when the last is full', () => {
  for (const [size, count] of [
    [2, 3],
    [5, 1],
    [1, 5],
  ] as const) {
    const { list } = pages(five, size);
    const seen: unknown[] = [];
    let params: Record<string, unknown> = {};
    for (let walked = 1; ; walked += 1) {
      const { value } = list(params) as PreparedResult;
      seen.push(...(value['things'] as unknown[]));
      if (value['nextCursor'] === undefined) {
        expect(walked).toBe(count);
        break;
      }
      params = { cursor: value['nextCursor'] };
    }
    expect(seen).toEqual(five);
  }
});

it('understands the cursor of another process that offers the same', () => {
  const { value } = pages(five, 2).list({}) as PreparedResult;
  const next = pages(five, 2).list({ cursor: value['nextCursor'] }) as PreparedResult;
  expect(next.value['things']).toEqual([{ name: 'c' }, { name: 'd' }]);
});

it.each([
  ['unknown'],
  [''],
  ['after:a'],
  [cursorOf('things/list', { after: 'x' })],
  [cursorOf('things/list', { after: '__proto__', before: 'toString' })],
  [cursorOf('others/list', { after: 'b', before: 'c' })],
  [0],
  [null],
  [{}],
])('refuses the cursor %j', (cursor) => {
  expect(() => pages(five, 2).list({ cursor })).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
});

it('rejects each cursor where all entries are in one page', () => {
  const { list } = pages(five);
  expect(() => list({ cursor: cursorOf('things/list', { after: 'a', before: 'b' }) })).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', message: 'things/list: unknown cursor' }),
  );
});

it('row 51: continues with what came next when the entry of a cursor was removed, and rejects an unknown position', () => {
  const { nextCursor } = (pages(five, 2).list({}) as PreparedResult).value;
  const left = (...names: string[]) =>
    pages(
      five.filter(({ name }) => names.includes(name)),
      5,
    ).list;
  const things = (list: ReturnType<typeof left>) => {
    const { value } = list({ cursor: nextCursor }) as PreparedResult;
    return (value['things'] as Thing[]).map(({ name }) => name);
  };
  expect(things(left('a', 'c', 'd'))).toEqual(['c', 'd']);
  expect(things(left('c', 'd', 'b'))).toEqual(['c', 'd']);
  expect(things(left('b', 'd'))).toEqual(['d']);
  expect(() => things(left('a', 'd'))).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', message: 'things/list: unknown cursor' }),
  );
});

it('encodes nothing in a cursor as plain text', () => {
  const { nextCursor } = (pages([{ name: 'payroll' }, { name: 'salaries' }], 1).list({}) as PreparedResult)
    .value;
  expect(nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(nextCursor).not.toMatch(/payroll|salaries|things/);
});

it('makes cursors for any name, and a longer page where it cannot make one', () => {
  const long = 'x'.repeat(8_193);
  const names = ['\ud800', '日', long, '', '\u0000', long + long, '?>~', 'z'];
  const { list } = pages(
    names.map((name) => ({ name })),
    1,
  );
  const seen: string[][] = [];
  for (let params: Record<string, unknown> | undefined = {}; params !== undefined;) {
    const { value } = list(params) as PreparedResult;
    seen.push((value['things'] as Thing[]).map(({ name }) => name));
    const { nextCursor } = value;
    expect((nextCursor as string | undefined)?.length ?? 0).toBeLessThanOrEqual(65_536);
    params = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  expect(seen).toEqual([['\ud800'], ['日'], [long, ''], ['\u0000'], [long + long, '?>~'], ['z']]);
});

it.each([0, -1, 1.5, Number.NaN])('refuses the page size %d', (size) => {
  expect(() => pages(five, size)).toThrow(TypeError);
});

it('waits for a live set and makes new pages when it emits, so that pages keep no replaced items', async () => {
  const source = new Subject<readonly Thing[]>();
  const { set, list } = pages(source);
  set.start({ changed: () => undefined, fault: () => undefined }, 'tools');
  const waiting = list({});
  source.next([{ name: 'a' }]);
  const first = await waiting;
  expect(first.value).toEqual({ things: [{ name: 'a' }] });
  source.next([{ name: 'a' }]);
  expect(list({})).toEqual(first);
  expect(list({})).not.toBe(first);
  expect(list({})).toBe(list({}));
  source.next([{ name: 'b' }]);
  expect((list({}) as PreparedResult).value).toEqual({ things: [{ name: 'b' }] });
});

describe('a list that is too long for one message', () => {
  const long = (count: number): Thing[] =>
    Array.from({ length: count }, (_, at) => ({ name: String(at).padEnd(8_000, 'x') }));

  it('is split into pages of at most 393,216 characters, which are kept', () => {
    const all = long(300);
    const { list } = pages(all);
    const seen: unknown[] = [];
    let params: Record<string, unknown> = {};
    let count = 0;
    for (let more = true; more; count += 1) {
      const page = list(params) as PreparedResult;
      expect(list(params)).toBe(page);
      const { things, nextCursor } = page.value;
      expect(JSON.stringify(things).length).toBeLessThan(393_216 + 1_000);
      seen.push(...(things as unknown[]));
      params = { cursor: nextCursor };
      more = nextCursor !== undefined;
    }
    expect(seen).toEqual(all);
    expect(count).toBe(7);
  });

  it('has pages of fewer values than a reader accepts', () => {
    const dense = Array.from({ length: 20 }, (_, at) => ({
      name: `n${String(at)}`,
      a: Array<object>(19_000).fill({}),
    }));
    const { list } = pages(dense);
    let read = 0;
    for (let params: Record<string, unknown> | undefined = {}; params !== undefined;) {
      const { value } = list(params) as PreparedResult;
      expect(() => decode(JSON.stringify(value))).not.toThrow();
      read += (value['things'] as unknown[]).length;
      params = value['nextCursor'] === undefined ? undefined : { cursor: value['nextCursor'] };
    }
    expect(read).toBe(20);
  });

  it('keeps no page that begins where a forged cursor says', () => {
    const [one, two, ...others] = long(300) as [Thing, Thing, ...Thing[]];
    const { list } = pages([one, two, ...others]);
    const cursor = cursorOf('things/list', { after: one.name, before: two.name });
    const page = list({ cursor }) as PreparedResult;
    expect((page.value['things'] as unknown[])[0]).toEqual(two);
    expect(list({ cursor })).not.toBe(page);
  });

  it('has a page of its own for an entry that is longer', () => {
    const [one, two] = [{ name: 'x'.repeat(2_000_000) }, { name: 'y' }];
    const { list } = pages([two, one]);
    const { value } = list({}) as PreparedResult;
    expect(value['things']).toEqual([two]);
    const next = list({ cursor: value['nextCursor'] }) as PreparedResult;
    expect(next.value['things']).toEqual([one]);
  });
});
