import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Offer } from '../../src/index.js';
import type { MergeableOffer, Subscribable } from '../../src/contract/offer.js';
import { defineOffer } from '../../src/internal.js';
import { mergeOffers } from '../../src/offers/merge-offers.js';

type Source = MergeableOffer['source'];
type Made = Offer & { readonly source: Source; readonly options: Readonly<Record<string, unknown>> };

/** An offer that keeps what it was made of. */
function things(source: Source, options: Record<string, unknown> = {}, name = 'things'): Made {
  const mergeable: MergeableOffer = { source, options, make: (of, given) => things(of, given, name) };
  const offer = defineOffer({ name, side: 'server', capabilities: {}, methods: [], mergeable });
  return Object.assign(Object.create(offer) as Offer, { source, options });
}

function seen(source: Source) {
  const events: unknown[] = [];
  const subscription = (source as Subscribable<readonly unknown[]>).subscribe({
    next: (items) => events.push(items),
    error: (error: unknown) => events.push({ error }),
    complete: () => events.push('complete'),
  });
  return { events, subscription };
}

const merged = (...offers: readonly Offer[]): Made[] => mergeOffers(offers) as Made[];

describe('offers of one name', () => {
  it('are one offer of all items, in their order', () => {
    const [all, ...others] = merged(things([1, 2]), things(['x'], {}, 'others'), things([3]), things([4]));
    expect([all?.source, others.map(({ source }) => source)]).toEqual([[1, 2, 3, 4], [['x']]]);
  });

  it('have the options of both, which must agree', () => {
    expect(merged(things([], { a: 1, b: 2 }), things([], { b: 2, c: 3 }))[0]?.options).toEqual({
      a: 1,
      b: 2,
      c: 3,
    });
    expect(() => merged(things([], { a: 1 }), things([], { a: 2 }))).toThrow(
      '"things" is offered twice with a different "a". Use the same for both',
    );
  });

  it('stay as they are where they cannot be merged', () => {
    const plain = defineOffer({ name: 'things', side: 'server', capabilities: {}, methods: [] });
    expect(mergeOffers([plain, things([1]), plain])).toHaveLength(3);
  });

  it('emit the items of both once both are known, and complete with the last', () => {
    const [first, second] = [new Subject<readonly unknown[]>(), new Subject<readonly unknown[]>()];
    const { events } = seen(merged(things(first), things(second))[0]?.source as Source);
    first.next([1]);
    expect(events).toEqual([]);
    second.next([2]);
    first.next([3]);
    first.complete();
    second.next([4]);
    second.complete();
    expect(events).toEqual([[1, 2], [3, 2], [3, 4], 'complete']);
  });

  it('emit a live list with a fixed one, fail with it, and leave it', () => {
    for (const fixedFirst of [true, false]) {
      const live = new Subject<readonly unknown[]>();
      const both = fixedFirst ? [things([0]), things(live)] : [things(live), things([0])];
      const [source] = merged(...both).map((made) => made.source);
      const { events } = seen(source as Source);
      const left = seen(source as Source);
      live.next([1]);
      left.subscription.unsubscribe();
      live.error('broken');
      const first = fixedFirst ? [0, 1] : [1, 0];
      expect([events, left.events, live.observed]).toEqual([[first, { error: 'broken' }], [first], false]);
    }
  });
});

it.each([
  [undefined, 'the server has no "offers". Pass an array'],
  [things([]), '"offers" must be an array. Put the offer in brackets'],
  [
    [{ [Symbol.for('rxmcp.tool')]: true }],
    '"offers[0]" is a tool, not an offer: wrap it, as in offerTools([tool])',
  ],
  [[things([]), { [Symbol.for('rxmcp.template')]: true }], '"offers[1]" is a template, not an offer'],
  [[{ [Symbol.for('rxmcp.prompt')]: 1 }], 'offerPrompts([prompt])'],
  [[{ [Symbol.for('rxmcp.resource')]: 1 }], 'offerResources([resource])'],
])('%j are no offers', (offers, message) => {
  expect(() => mergeOffers(offers as never)).toThrow(message);
});
