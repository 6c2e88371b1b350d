import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Topics } from '../../src/client/subscriptions/topics.js';
import { rounds } from '../../../../vitest.rounds.js';

const liesUnder = (uri: string, above: string): boolean =>
  uri.startsWith(above) &&
  uri.length > above.length &&
  (above.endsWith('/') || '/?#'.includes(uri[above.length] as string));

const uri = fc
  .array(fc.constantFrom('a', 'b', '/', '?', '#'), { maxLength: 8 })
  .map((parts) => `x:${parts.join('')}`);

describe('the recipients of a notification about something below', () => {
  it('is the longest followed uri that it lies under, also after others were dropped', () => {
    fc.assert(
      fc.property(fc.uniqueArray(uri), fc.uniqueArray(uri), uri, (followed, dropped, named) => {
        const topics = new Topics<string>();
        for (const one of followed) topics.add({ uri: one }, 'me');
        for (const one of dropped) topics.delete(`uri ${one}`);
        const left = followed.filter((one) => !dropped.includes(one) && liesUnder(named, one));
        const longest = left.sort((a, b) => b.length - a.length)[0];
        expect(topics.above(named)?.topic).toEqual(longest === undefined ? undefined : { uri: longest });
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('is found without a look at each of 10,000', () => {
    const topics = new Topics<string>();
    for (let i = 0; i < 10_000; i += 1) topics.add({ uri: `x:/${10_000 + i}` }, 'me');
    const looked = vi.spyOn(Map.prototype, 'get');
    try {
      expect(topics.above('x:/12345/below')?.topic).toEqual({ uri: 'x:/12345' });
      expect(looked.mock.calls.length).toBeLessThan(5);
    } finally {
      looked.mockRestore();
    }
  });
});
