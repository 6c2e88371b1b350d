import { BehaviorSubject, concat, defer, finalize, NEVER, of, Subject, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Fault } from '../../src/contract/faults.js';
import type { Subscribable } from '../../src/contract/offer.js';
import { markForwarded } from '../../src/offers/forwarded-item.js';
import type { LiveSet } from '../../src/offers/live-set.js';
import { liveSet } from '../../src/offers/live-set.js';

interface Thing {
  readonly name: string;
  readonly rank?: number;
  readonly run?: () => void;
}

function things(
  source: readonly Thing[] | Subscribable<readonly Thing[]>,
  timeoutMs?: number,
): LiveSet<Thing> {
  return liveSet({
    name: 'things',
    source,
    keyOf: (thing) => {
      if (typeof thing.name !== 'string') throw new TypeError('a thing needs a name');
      return thing.name;
    },
    content: ({ name, rank }) => ({ name, rank }),
    timeoutMs,
  });
}

function host() {
  const faults: Fault[] = [];
  const notices: string[] = [];
  return {
    faults,
    notices,
    changed: (list: string) => void notices.push(list),
    fault: (fault: Fault) => void faults.push(fault),
  };
}

const a = { name: 'a' };
const b = { name: 'b' };

describe('a fixed set', () => {
  it('is available at once and found by key', () => {
    const set = things([a, b]);
    expect(set.live).toBe(false);
    expect(set.ready()).toEqual([a, b]);
    expect(set.get('b')).toBe(b);
    expect(set.get('__proto__')).toBeUndefined();
    expect(set.get('toString')).toBeUndefined();
  });

  it('keeps its values when the given array changes later', () => {
    const given = [a];
    const set = things(given);
    given.push(b);
    expect(set.current()).toEqual([a]);
  });

  it('takes __proto__ as a key like any other', () => {
    const odd = { name: '__proto__' };
    expect(things([odd]).get('__proto__')).toBe(odd);
  });

  it('rejects two of one key', () => {
    expect(() => things([a, { name: 'a' }])).toThrow(new TypeError('two of things are called "a"'));
  });

  it('rejects a source that is neither a list nor an Observable', () => {
    expect(() => things({} as never)).toThrow(TypeError);
    expect(() => things(undefined as never)).toThrow(TypeError);
  });
});

describe('a live set', () => {
  it('looks at the content of each item of another server once, and finds every change', () => {
    let looked = 0;
    const source = new Subject<readonly Thing[]>();
    const set = liveSet<Thing>({
      name: 'things',
      source,
      keyOf: ({ name }) => name,
      content({ name, rank }) {
        looked += 1;
        return { name, rank };
      },
    });
    const to = host();
    const { notices } = to;
    set.start(to, 'tools');
    const forwarded = (name: string, rank: number): Thing => markForwarded({ name, rank }, { server: 'x' });
    const [c, d] = [forwarded('c', 1), forwarded('d', 1)];
    const own: Thing = { name: 'own', rank: 1 };
    source.next([own, c, d]);
    source.next([own, c, d]);
    expect(looked).toBe(4);
    expect(notices).toEqual([]);
    source.next([own, d, c]);
    source.next([own, c, forwarded('d', 2)]);
    source.next([own, c, forwarded('d', 2)]);
    expect(notices).toEqual(['tools', 'tools']);
    Object.assign(own, { rank: 2 });
    source.next([own, c]);
    source.next([own]);
    source.next([own, c]);
    expect(notices).toHaveLength(5);
  });

  it('is subscribed while it is used, once for all hosts, and again after that', () => {
    let subscribed = 0;
    let ended = 0;
    const source = defer(() => {
      subscribed += 1;
      return concat(of([a]), NEVER);
    }).pipe(finalize(() => (ended += 1)));
    const set = things(source);
    expect(subscribed).toBe(0);
    const stops = [set.start(host(), 'tools'), set.start(host(), 'tools')];
    expect([subscribed, ended]).toEqual([1, 0]);
    stops[0]!();
    stops[0]!();
    expect([set.current(), ended]).toEqual([[a], 0]);
    stops[1]!();
    expect([set.current(), ended]).toEqual([undefined, 1]);
    expect(set.get('a')).toBeUndefined();
    set.start(host(), 'tools');
    expect([set.current(), subscribed]).toEqual([[a], 2]);
  });

  it('announces new content to every host, and equal content to none', () => {
    const source = new BehaviorSubject<readonly Thing[]>([a]);
    const set = things(source);
    const hosts = [host(), host()];
    for (const each of hosts) set.start(each, 'prompts');
    const other = { name: 'a', run: () => undefined };
    source.next([other]);
    expect(set.get('a')).toBe(other);
    expect(hosts[0]!.notices).toEqual([]);
    source.next([a, b]);
    source.next([b, a]);
    expect(hosts.map(({ notices }) => notices)).toEqual([
      ['prompts', 'prompts'],
      ['prompts', 'prompts'],
    ]);
  });

  it('drops an invalid list or one with a key twice, with a fault, and keeps the last good one', () => {
    const source = new BehaviorSubject<readonly Thing[]>([a]);
    const set = things(source);
    const to = host();
    set.start(to, 'tools');
    for (const bad of [[b, b], 'no list', [{}], [null]]) source.next(bad as never);
    expect(set.current()).toEqual([a]);
    expect(set.get('b')).toBeUndefined();
    expect(to.faults.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'INVALID_OFFER'));
    expect(to.faults[0]!.message).toBe('dropped a list of things: two of things are called "b"');
    expect(to.notices).toEqual([]);
    source.next([b]);
    expect(set.current()).toEqual([b]);
  });

  it('leaves out the item of another server that has the key of another item, with one fault for any number of lists', () => {
    const source = new Subject<readonly Thing[]>();
    const set = things(source);
    const told = host();
    set.start(told, 'tools');
    const foreign = (name: string, server: string): Thing => markForwarded({ name }, { server });
    const [a, b, own] = [foreign('x', 'a'), foreign('x', 'b'), { name: 'x' }];
    source.next([a, b, { name: 'y' }]);
    expect(set.current()?.map((each) => [each.name, each === a])).toEqual([
      ['x', true],
      ['y', false],
    ]);
    source.next([a, b]);
    expect(told.faults.map(({ code, message }) => [code, message])).toEqual([
      [
        'INVALID_OFFER',
        'two of things are called "x": that of "a" stays, that of "b" is left out. Give one of the servers a prefix',
      ],
    ]);
    source.next([a, own]);
    expect(set.get('x')).toBe(own);
    expect(told.faults.at(-1)?.message).toContain('that of this server stays, that of "a" is left out');
  });

  it('describes eight collisions of a list', () => {
    const source = new Subject<readonly Thing[]>();
    const set = things(source);
    const told = host();
    set.start(told, 'tools');
    const names = Array.from({ length: 100 }, (_, at) => String(at));
    source.next([...names, ...names].map((name) => markForwarded({ name }, { server: 'a' })));
    expect(set.current()).toHaveLength(100);
    expect(told.faults).toHaveLength(8);
  });

  it('keeps the last good list after completion, and after an error with a fault', () => {
    const to = host();
    const completed = things(of([a]));
    completed.start(to, 'tools');
    expect([completed.current(), to.faults]).toEqual([[a], []]);
    const failed = things(
      concat(
        of([a]),
        throwError(() => new Error('gone')),
      ),
    );
    failed.start(to, 'tools');
    expect(failed.ready()).toEqual([a]);
    expect(to.faults).toMatchObject([{ code: 'OFFER_FAILED', cause: new Error('gone') }]);
  });

  it('survives a source that throws when subscribed', () => {
    const to = host();
    const set = things({
      subscribe() {
        throw new Error('no');
      },
    });
    set.start(to, 'tools')();
    expect(to.faults).toMatchObject([{ code: 'OFFER_FAILED' }]);
  });

  it('emits nothing after its end, even from a source that continues', () => {
    let next: (items: readonly Thing[]) => void = () => undefined;
    const set = things({
      subscribe(observer) {
        next = (items) => observer.next(items);
        return { unsubscribe: () => undefined };
      },
    });
    const to = host();
    set.start(to, 'tools')();
    next([a]);
    expect([set.current(), to.faults]).toEqual([undefined, []]);
  });
});

describe('waiting for the first value', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('resolves with it and sends no notification', async () => {
    const source = new Subject<readonly Thing[]>();
    const to = host();
    const set = things(source);
    set.start(to, 'tools');
    const waiting = [set.ready(), set.ready()];
    source.next([a]);
    expect(await Promise.all(waiting)).toEqual([[a], [a]]);
    expect([to.notices, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('ends in OFFER_TIMEOUT, and the late value is announced', async () => {
    const source = new Subject<readonly Thing[]>();
    const to = host();
    const set = things(source, 200);
    set.start(to, 'tools');
    const waiting = expect(set.ready()).rejects.toMatchObject({ code: 'OFFER_TIMEOUT', retryable: true });
    await vi.advanceTimersByTimeAsync(200);
    await waiting;
    source.next([a]);
    expect([to.notices, set.ready()]).toEqual([['tools'], [a]]);
  });

  it('waits 5 s by default', async () => {
    const set = things(NEVER);
    set.start(host(), 'tools');
    let ended = false;
    const waiting = Promise.resolve(set.ready()).catch(() => void (ended = true));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(ended).toBe(true);
  });

  it('ends at once when the source ends without a value, before or after the request', async () => {
    const source = new Subject<readonly Thing[]>();
    const set = things(source);
    set.start(host(), 'tools');
    const before = expect(set.ready()).rejects.toMatchObject({ code: 'OFFER_TIMEOUT' });
    source.complete();
    await before;
    await expect(set.ready()).rejects.toMatchObject({ code: 'OFFER_TIMEOUT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer when the last host leaves', async () => {
    const set = things(NEVER);
    const stop = set.start(host(), 'tools');
    const waiting = expect(set.ready()).rejects.toMatchObject({ code: 'CLOSED' });
    stop();
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});
