import type { Context, Fault } from '@rxmcp/core';
import { concat, defer, of, ReplaySubject, Subject, throwError } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callOptions, InnerServer } from '../src/inner-server.js';
import type { OfferRemoteOptions } from '../src/options.js';
import { connected, modern, served } from './rig.js';

const rig = async (name = 'shop') => {
  const remote = await connected(served(name, []), modern);
  const faults: Fault[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  return { remote, faults };
};

describe('the name of a server', () => {
  it('is its prefix, or at most 100 characters of its own name, or "remote"', async () => {
    const { remote } = await rig('n'.repeat(101));
    const server = new InnerServer(of(remote), {});
    expect(server.name).toBe('remote');
    server.remote = remote;
    expect(server.name).toBe(`${'n'.repeat(100)}…`);
    expect(new InnerServer(of(remote), { prefix: 'a' }).name).toBe('a');
  });
});

it.each(['tool', 'prompt'] as const)(
  'a %s with the prefix twice is left out, with one fault',
  async (kind) => {
    const { remote, faults } = await rig();
    const server = new InnerServer(of(remote), { prefix: 'g' });
    server.remote = remote;
    const isOffered = (name: string): boolean => server.offered([{ name } as never], kind).length === 1;
    expect(['x', 'g-x', 'g-g-x', 'g-g-g-x'].map(isOffered)).toEqual([true, true, false, false]);
    expect(faults).toMatchObject([{ code: 'INVALID_OFFER' }]);
  },
);

it('a list of more than 1,000 items is passed on in a turn of its own, and only the latest one', async () => {
  const { remote } = await rig();
  const lists = new Subject<readonly number[]>();
  const seen: (readonly number[])[] = [];
  const items$ = new InnerServer(of(remote), {}).items(
    () => lists,
    (list) => list,
    [],
  );
  const subscription = items$.subscribe((items) => seen.push(items));
  onTestFinished(() => subscription.unsubscribe());
  const [small, large, larger] = [1_000, 1_001, 1_002].map((length) => Array<number>(length).fill(0));
  lists.next(small as number[]);
  expect(seen).toEqual([small]);
  lists.next(large as number[]);
  lists.next(larger as number[]);
  expect(seen).toEqual([small]);
  await vi.waitFor(() => expect(seen).toEqual([small, larger]));
});

describe('the list of a server', () => {
  const tool = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' } });
  const offered = async (list: readonly ReturnType<typeof tool>[], options: OfferRemoteOptions = {}) => {
    const { remote, faults } = await rig();
    const server = new InnerServer(of(remote), options);
    server.remote = remote;
    return { names: server.offered(list, 'tool').map(({ name }) => name), faults };
  };

  it.each([
    ['an item of more than 262,144 characters', tool('long', 'x'.repeat(262_144))],
    [
      'an item of as many, of which the last are 100,000 values',
      { ...tool('many', 'x'.repeat(262_144)), values: Array<number>(100_000).fill(0) },
    ],
    ['a name of more than 8,000 characters', tool('x'.repeat(8_001))],
    ['a name of as many next to a URI', { ...tool('x'.repeat(8_001)), uri: 'a:b' }],
  ])('is offered without %s, with one fault', async (_, bad) => {
    const { names, faults } = await offered([tool('a'), bad, bad, tool('b')]);
    expect(names).toEqual(['a', 'b']);
    const message = expect.stringMatching(`^tool "${bad.name.slice(0, 100)}.* is left out`) as string;
    expect(faults).toMatchObject([{ code: 'INVALID_OFFER', message }]);
  });

  it('has no fault for an item that a filter leaves out', async () => {
    const long = tool('long', 'x'.repeat(262_144));
    const { names, faults } = await offered([long, tool('a')], { filter: ({ name }) => name !== 'long' });
    expect([names, faults]).toEqual([['a'], []]);
  });

  it('is offered up to 10,000 items, and 2,097,152 characters', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => tool(String(at)));
    expect((await offered(many)).names).toHaveLength(10_000);
    const long = Array.from({ length: 30 }, (_, at) => tool(String(at), 'x'.repeat(200_000)));
    expect((await offered(long)).names).toHaveLength(10);
    const whole = await offered(many.slice(1));
    expect([whole.names.length, whole.faults]).toEqual([10_000, []]);
  });
});

describe('following a server', () => {
  const failing = async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { remote, faults } = await rig();
    const remotes$ = new Subject<typeof remote>();
    return { remote, faults, remotes$, server: new InnerServer(remotes$, {}) };
  };

  it('begins again after 1, 2 and 4 seconds, and after 1 second where it worked in between', async () => {
    const { remote, faults, remotes$, server } = await failing();
    const begun: number[] = [];
    const start = Date.now();
    const once$ = defer(() => {
      begun.push((Date.now() - start) / 1_000);
      const error$ = throwError(() => new Error('no'));
      return begun.length === 4 ? concat(of(1), error$) : error$;
    });
    const subscription = server.follow(() => once$).subscribe();
    remotes$.next(remote);
    await vi.advanceTimersByTimeAsync(8_500);
    subscription.unsubscribe();
    expect(begun).toEqual([0, 1, 3, 7, 8]);
    expect(faults.map(({ code }) => code)).toEqual(begun.map(() => 'OFFER_FAILED'));
  });

  it('ends with its connection, without a fault', async () => {
    const { remote, faults, remotes$, server } = await failing();
    let begun = 0;
    const subscription = server
      .follow(() => {
        begun += 1;
        return throwError(() => new Error('no'));
      })
      .subscribe();
    await remote.close();
    remotes$.next(remote);
    await vi.advanceTimersByTimeAsync(60_000);
    subscription.unsubscribe();
    expect([begun, faults]).toEqual([1, []]);
  });

  it('begins with the latest connection', async () => {
    const [one, two] = [(await rig('one')).remote, (await rig('two')).remote];
    const remotes$ = new Subject<typeof one>();
    const server = new InnerServer(remotes$, {});
    const names = (): string[] => {
      const seen: string[] = [];
      const subscription = server
        .follow((_link, { info }) => of(info?.name ?? ''))
        .subscribe((name) => seen.push(name));
      onTestFinished(() => subscription.unsubscribe());
      return seen;
    };
    const first = names();
    remotes$.next(one);
    remotes$.next(two);
    expect([first, names()]).toEqual([['one', 'two'], ['two']]);
  });
});

it('a list is waited for unless it is known of a server with a connection', async () => {
  const { remote } = await rig();
  const server = new InnerServer(of(remote), {});
  const list$ = new ReplaySubject<string>(1);
  list$.next('list');
  expect(await server.listed(list$, true)).toBe('list');
  server.remote = remote;
  expect(server.listed(list$, true)).toBeUndefined();
  expect(await server.listed(list$, false)).toBe('list');
});

it('a call is made with the log level of its caller, and the members of `_meta` that are not of the protocol', () => {
  const options = (ctx: object): object => callOptions(ctx as Context);
  const own = { progressToken: 1, 'io.modelcontextprotocol/clientInfo': {} };
  expect(options({ meta: {} })).toEqual({});
  expect(options({ meta: own, logLevel: 'info' })).toEqual({ logLevel: 'info' });
  expect(options({ meta: { ...own, 'acme/trace': 1 }, logLevel: 'info' })).toEqual({
    logLevel: 'info',
    meta: { 'acme/trace': 1 },
  });
});
