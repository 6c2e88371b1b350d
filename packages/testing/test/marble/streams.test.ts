import { delay, interval, of, take, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, wireMarbles } from '../../src/index.js';

/** What both kinds of marble tests can draw. */
type Helpers = Pick<
  Parameters<Parameters<typeof wireMarbles>[0]>[0],
  'cold' | 'hot' | 'expectObservable' | 'expectSubscriptions'
>;
const kinds: readonly (readonly [string, (test: (helpers: Helpers) => void) => Promise<unknown>])[] = [
  ['in virtual time', (test) => wireMarbles(test)],
  ['of RxJS', async (test) => marbles((helpers) => test(helpers as unknown as Helpers))],
];

describe.each(kinds)('marbles %s', (_kind, run) => {
  it.each<[string, (helpers: Helpers) => void]>([
    [
      'a subscription that lasts',
      ({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('-----a');
        expectObservable(source.pipe(take(1))).toBe('-----(a|)');
        expectSubscriptions(source.subscriptions).toBe('^----!');
        expectSubscriptions(cold('a').subscriptions).toBe('---');
      },
    ],
    [
      'a subscription with a duration',
      ({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('----a');
        expectObservable(source.pipe(take(1))).toBe('4ms (a|)');
        expectSubscriptions(source.subscriptions).toBe('^ 3ms !');
      },
    ],
    [
      'what a hot stream said before',
      ({ hot, expectObservable }) => {
        expectObservable(hot('a-b-^-c|')).toBe('--c|');
      },
    ],
    [
      'silence',
      ({ hot, expectObservable }) => {
        expectObservable(hot('--^')).toBe('---');
      },
    ],
  ])('hold for %s', async (_what, test) => {
    await run(test);
  });

  it.each<[string, (helpers: Helpers) => void, RegExp]>([
    [
      'more events',
      ({ cold, expectObservable }) => expectObservable(cold('a-b-c|')).toBe('a-b'),
      /events differ/,
    ],
    [
      'late events',
      ({ expectObservable }) => expectObservable(of('z').pipe(delay(500))).toBe('-'),
      /500 ms: "z"/,
    ],
    [
      'an early leave',
      ({ cold, expectSubscriptions }) => {
        const source = cold('-----a');
        source.pipe(take(1)).subscribe();
        expectSubscriptions(source.subscriptions).toBe('^---------');
      },
      /differ/,
    ],
    [
      'one more subscriber',
      ({ cold, expectSubscriptions }) => {
        const source = cold('-----a');
        source.subscribe();
        timer(7).subscribe(() => source.subscribe());
        expectSubscriptions(source.subscriptions).toBe('^');
      },
      /differ/,
    ],
    ['a cold stream with a past', ({ cold }) => cold('a-^-b'), /cold/],
  ])('refuse %s', async (_what, test, said) => {
    await expect(run(test)).rejects.toThrow(said);
  });
});

it('a timer that never ends holds no marble test up', async () => {
  await wireMarbles(({ cold, expectObservable }) => {
    interval(1_000).subscribe();
    expectObservable(cold('a-b|')).toBe('a-b|');
  });
});
