import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeAskKey } from '../../src/contract/ask-key.js';
import type { Context } from '../../src/index.js';

const run = () => ({}) as Context;
const roots = { method: 'roots/list' } as const;
const form = (message: string, more: object = {}) =>
  ({ method: 'elicitation/create', params: { message, ...more } }) as const;

describe('keys of asks', () => {
  it('are kept, and numbered from the second use with the same parameters', () => {
    const ctx = run();
    const names = [1, 2, 3].map(() => takeAskKey(ctx, 'a', form('A')));
    expect(names).toEqual([
      { name: 'a', isRepeat: false },
      { name: 'a (2)', isRepeat: true },
      { name: 'a (3)', isRepeat: true },
    ]);
    expect(takeAskKey(run(), 'a', form('A'))).toEqual({ name: 'a', isRepeat: false });
  });

  it('are numbered by method where there is none, whatever the parameters', () => {
    const ctx = run();
    const asks = [form('A'), roots, form('B'), roots];
    expect(asks.map((ask) => takeAskKey(ctx, undefined, ask).name)).toEqual([
      'elicitation/create (1)',
      'roots/list (1)',
      'elicitation/create (2)',
      'roots/list (2)',
    ]);
  });

  it('are the same whatever the order of members', () => {
    const ctx = run();
    takeAskKey(ctx, 'a', form('A', { x: { y: 1, z: 2 } }));
    expect(takeAskKey(ctx, 'a', { ...form(''), params: { x: { z: 2, y: 1 }, message: 'A' } }).name).toBe(
      'a (2)',
    );
  });

  it('name the method where there is no message, and show no other parameter', () => {
    const ctx = run();
    takeAskKey(ctx, 'a', { method: 'sampling/createMessage', params: { messages: ['private'] } });
    expect(() => takeAskKey(ctx, 'a', roots)).toThrow(
      new TypeError(
        'the key "a" is used twice in one run, for sampling/createMessage and for roots/list, which differ in ' +
          'their methods. Give each ask its own key',
      ),
    );
  });

  it('are unique in a run, and the same in each run', () => {
    // Few keys, some of which look like numbered ones.
    const key = fc.constantFrom('a', 'a (2)', 'a (2.2)', 'roots/list', 'roots/list (1)', undefined);
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        const taken = [run(), run()].map((ctx) => keys.map((each) => takeAskKey(ctx, each, roots).name));
        expect(taken[0]).toEqual(taken[1]);
        expect(new Set(taken[0]).size).toBe(keys.length);
      }),
    );
  });

  it('keep their answers when an ask with another key is added before or after', () => {
    const key = fc.string({ maxLength: 3 });
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 8 }), (keys) => {
        const ctx = run();
        expect(keys.map((each) => takeAskKey(ctx, each, roots).name)).toEqual(keys);
      }),
    );
  });

  it('of one method are at most 64 without a key, with a key as well', () => {
    for (const key of [undefined, 'a']) {
      const ctx = run();
      for (let n = 0; n < 64; n += 1) takeAskKey(ctx, key, roots);
      expect(() => takeAskKey(ctx, key, roots)).toThrow(
        expect.objectContaining({ code: 'TOO_MANY_ROUNDS' }) as Error,
      );
      expect(takeAskKey(ctx, 'other', roots).name).toBe('other');
    }
  });
});
