import { TransportError } from '@rxmcp/transport';
import { finalize, NEVER, of, Subject, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResponseEvent, InterceptedRequest } from '../../src/index.js';
import { RxmcpError, RpcError } from '../../src/index.js';
import type { Topic } from '../../src/internal.js';
import { cache } from '../../src/interceptors/index.js';
import type { CacheOptions } from '../../src/interceptors/index.js';
import { drive, result } from './driven.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Asked = Partial<InterceptedRequest>;

/** A remote behind a cache: each response says how many there were before it. */
function rig(hints: object = { ttlMs: 1_000 }, options: CacheOptions = {}) {
  const changes = new Subject<Topic | undefined>();
  const caching = cache(options);
  const owner = {};
  let count = 0;
  let failure: unknown;
  const source = () =>
    failure === undefined ? of(result({ n: ++count, ...hints })) : throwError(() => failure);
  const ask = (method: string, params: Record<string, unknown> = {}, more: Asked = {}): unknown => {
    const first = drive(caching, source, { method, params, owner, changes$: changes, ...more }).seen[0];
    return first instanceof Error ? first : (first as { n: number }).n;
  };
  return { ask, changes, caching, owner, fail: (error?: unknown) => void (failure = error) };
}

const read = (uri: string) => ['resources/read', { uri }] as const;

describe('cache: what is stored, and how long', () => {
  it('a result is fresh as long as it says', () => {
    const { ask } = rig();
    expect([ask('tools/list'), ask('tools/list')]).toEqual([1, 1]);
    vi.advanceTimersByTime(999);
    expect(ask('tools/list')).toBe(1);
    vi.advanceTimersByTime(1);
    expect(ask('tools/list')).toBe(2);
  });

  it.each([{}, { ttlMs: 0 }, { ttlMs: -5 }, { ttlMs: '9' }, { ttlMs: NaN }])('%j is not stored', (hints) => {
    const { ask } = rig(hints);
    expect([ask('tools/list'), ask('tools/list')]).toEqual([1, 2]);
  });

  it('method and parameters make the key; other requests are not stored', () => {
    const { ask } = rig();
    const all = (): unknown[] => [
      ask('tools/list'),
      ask('tools/list', { cursor: '' }),
      ask('tools/list', { cursor: 'a' }),
      ask('prompts/list'),
      ask('resources/list'),
      ask('resources/templates/list'),
      ask(...read('x:/a')),
      ask(...read('x:/b')),
    ];
    expect(all()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(all()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(ask('tools/list', { _meta: { progressToken: 7 } })).toBe(1);
    expect(ask(...read('X:/%61'))).toBe(7);
    const more = [
      ask('tools/call', { name: 'x' }),
      ask('tools/call', { name: 'x' }),
      ask('resources/read', { uri: 'x:/a', requestState: 's' }),
      ask('resources/read', { uri: 'x:/a', inputResponses: {} }),
      ask('tools/list', {}, { side: 'server' }),
    ];
    expect(more).toEqual([9, 10, 11, 12, 13]);
  });

  it('keeps uris apart that only a file system treats as equal', () => {
    const { ask, changes } = rig();
    const uris = ['x:///a%2Fb', 'x:///a/b', 'x:///a//b', 'x:///a/./b'];
    const all = (): unknown[] => uris.map((uri) => ask(...read(uri)));
    expect([all(), all()]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    // A server that serves them as one resource reports a change of one uri only.
    changes.next({ uri: 'x:///a/b' });
    expect(all()).toEqual([5, 6, 7, 8]);
  });

  it('results of calls that asked are not stored', () => {
    const { ask } = rig();
    expect([ask(...read('x:/a'), { rounds: 1 }), ask(...read('x:/a')), ask(...read('x:/a'))]).toEqual([
      1, 2, 2,
    ]);
  });

  it('private results stay with their authorization, public ones are for all; remotes share nothing', () => {
    let who = 'ada';
    const options = { partitionKey: () => who };
    const own = rig({ ttlMs: 1_000, cacheScope: 'private' }, options);
    const absent = rig({ ttlMs: 1_000 }, options);
    const open = rig({ ttlMs: 1_000, cacheScope: 'public' }, options);
    const all = () => [own.ask('tools/list'), absent.ask('tools/list'), open.ask('tools/list')];
    expect(all()).toEqual([1, 1, 1]);
    who = 'bob';
    expect(all()).toEqual([2, 2, 1]);
    who = 'ada';
    expect(all()).toEqual([1, 1, 1]);
    expect(open.ask('tools/list', {}, { owner: {} })).toBe(2);
  });

  it('changing a returned value does not change the stored one', () => {
    const { caching, owner } = rig();
    const list = () => {
      const source = () => of(result({ ttlMs: 9, tools: [{ name: 'a' }] }));
      return drive(caching, source, { method: 'tools/list', owner }).seen[0] as { tools: { name: string }[] };
    };
    for (let i = 0; i < 3; i += 1) {
      const { tools } = list();
      expect(tools).toEqual([{ name: 'a' }]);
      (tools[0] as { name: string }).name = 'b';
    }
  });

  it('is bounded in entries and in bytes; the most recently used stay', () => {
    const few = rig({ ttlMs: 1_000 }, { maxEntries: 2 });
    const uris = ['a', 'b', 'a', 'c', 'a', 'b'];
    expect(uris.map((name) => few.ask(...read(`x:/${name}`)))).toEqual([1, 2, 1, 3, 1, 4]);
    const small = rig({ ttlMs: 1_000, text: 'x'.repeat(1_000) }, { maxBytes: 2_500 });
    expect(uris.map((name) => small.ask(...read(`x:/${name}`)))).toEqual([1, 2, 1, 3, 1, 4]);
    const tiny = rig({ ttlMs: 1_000, text: 'x'.repeat(1_000) }, { maxBytes: 500 });
    expect([tiny.ask('tools/list'), tiny.ask('tools/list')]).toEqual([1, 2]);
  });
});

describe('cache: what clears it', () => {
  const keys = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
  const uris = ['x:/a', 'x:/a/b', 'x:/ab'];
  const fill = ({ ask }: ReturnType<typeof rig>) => [
    ...keys.flatMap((method) => [ask(method), ask(method, { cursor: 'c' })]),
    ...uris.map((uri) => ask(...read(uri))),
  ];

  it.each<[string, Topic | undefined, number[]]>([
    ['a list of tools', { list: 'tools' }, [0, 1]],
    ['a list of prompts', { list: 'prompts' }, [2, 3]],
    ['the resources, templates among them', { list: 'resources' }, [4, 5, 6, 7]],
    ['a resource', { uri: 'x:/a' }, [8]],
    ['something below a resource', { uri: 'x:/a/b' }, [8, 9]],
    ['a new connection', undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('%s', (_what, topic, gone) => {
    const all = rig();
    const before = fill(all);
    expect(fill(all)).toEqual(before);
    all.changes.next(topic);
    const after = fill(all);
    expect(after.flatMap((n, at) => (n === before[at] ? [] : [at]))).toEqual(gone);
  });

  it('an expired cursor ends all pages', () => {
    const { ask, fail } = rig();
    ask('tools/list');
    fail(new RpcError(-32602, 'unknown cursor'));
    expect(ask('tools/list', { cursor: 'old' })).toBeInstanceOf(RpcError);
    fail();
    expect(ask('tools/list')).toBe(2);
  });

  it('delivers a response that was under way when its subject changed, and does not store it', () => {
    const { caching, owner, changes, ask } = rig();
    const response = new Subject<ResponseEvent>();
    const more = { method: 'tools/list', owner, changes$: changes };
    const early = drive(caching, () => response, more);
    changes.next({ list: 'tools' });
    expect(ask('tools/list')).toBe(1);
    response.next(result({ old: true, ttlMs: 1_000 }));
    response.complete();
    expect(early.seen).toEqual([{ old: true, ttlMs: 1_000 }, 'complete']);
    expect(ask('tools/list')).toBe(1);
  });
});

describe('cache: when the server cannot be reached', () => {
  it.each<[string, unknown, boolean]>([
    ['a loss', new TransportError('CONNECTION_LOST', 'cut'), true],
    ['a deadline', new RxmcpError('TIMEOUT', 'late'), true],
    ['too much load', new RpcError(-31001, 'busy', { retryable: true }), true],
    ['a server that failed', new RpcError(-32603, 'oops'), true],
    ['a resource that does not exist', new RpcError(-32002, 'gone'), false],
    ['the end of the remote', new RxmcpError('CLOSED', 'closed'), false],
  ])('%s', (_what, error, stands) => {
    const { ask, fail } = rig({ ttlMs: 1_000 }, { staleIfErrorMs: 5_000 });
    ask(...read('x:/a'));
    fail(error);
    vi.advanceTimersByTime(5_999);
    expect(ask(...read('x:/a'))).toBe(stands ? 1 : error);
    vi.advanceTimersByTime(1);
    expect(ask(...read('x:/a'))).toBe(error);
  });

  it('returns no stored result that was changed since', () => {
    const { ask, fail, changes } = rig();
    ask(...read('x:/a'));
    changes.next({ uri: 'x:/a' });
    fail(new TransportError('CONNECTION_LOST', 'cut'));
    expect(ask(...read('x:/a'))).toBeInstanceOf(TransportError);
  });
});

describe('cache: one request for all concurrent callers', () => {
  it('shares progress and result, each in an object of its own', () => {
    const { caching, owner } = rig();
    const response = new Subject<ResponseEvent>();
    let requests = 0;
    const source = () => ((requests += 1), response);
    const both = [1, 2].map(() => drive(caching, source, { method: 'tools/list', owner }));
    response.next({ type: 'progress', progress: 1 });
    response.next(result({ tools: [] }));
    response.complete();
    expect(both.map(({ seen }) => seen)).toEqual([1, 2].map(() => [1, { tools: [] }, 'complete']));
    expect(both[0]?.seen[1]).not.toBe(both[1]?.seen[1]);
    expect(requests).toBe(1);
  });

  it('is not shared by uris that only a file system treats as equal', () => {
    const { caching, owner } = rig();
    let requests = 0;
    const source = () => ((requests += 1), NEVER);
    for (const uri of ['x:///a%2Fb', 'x:///a/b', 'x:///a//b'])
      drive(caching, source, { method: 'resources/read', params: { uri }, owner });
    expect(requests).toBe(3);
  });

  it('ends when the last caller leaves, not the first; others do not share with another authorization', () => {
    let who = 'ada';
    const { caching, owner } = rig({}, { partitionKey: () => who });
    let [requests, left] = [0, 0];
    const source = () => ((requests += 1), NEVER.pipe(finalize(() => void (left += 1))));
    const join = () => drive(caching, source, { method: 'tools/list', owner }).subscription;
    const [first, second] = [join(), join()];
    who = 'bob';
    join();
    expect(requests).toBe(2);
    first.unsubscribe();
    expect(left).toBe(0);
    second.unsubscribe();
    expect(left).toBe(1);
    who = 'ada';
    join();
    expect(requests).toBe(3);
  });
});

it('a change is normalized once, however many results are stored', () => {
  const { ask, changes } = rig({ ttlMs: 60_000 });
  for (let n = 0; n < 100; n += 1) ask(...read(`x:/r/${n}`));
  let reads = 0;
  changes.next({
    get uri() {
      reads += 1;
      return 'x:/r/%35';
    },
  });
  expect(reads).toBe(1);
  expect([ask(...read('x:/r/4')), ask(...read('x:/r/5'))]).toEqual([5, 101]);
});

it('a change with a URI that is too long is not normalized, and invalidates all results', () => {
  const { ask, changes } = rig({ ttlMs: 60_000 });
  expect([ask(...read('x:/a')), ask(...read('x:/a'))]).toEqual([1, 1]);
  changes.next({ uri: 'x:/b/'.padEnd(8_192, 'a') });
  expect(ask(...read('x:/a'))).toBe(1);
  changes.next({ uri: 'x:/b/'.padEnd(8_193, 'a') });
  expect(ask(...read('x:/a'))).toBe(2);
});
