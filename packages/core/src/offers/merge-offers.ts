import type { MergeableOffer, Offer, Subscribable } from '../contract/offer.js';

/** Merges the offers of one name, such as two of `offerTools`, into one. Offers that cannot be merged stay as they are. */
export function mergeOffers(offers: readonly Offer[]): readonly Offer[] {
  const merged: Offer[] = [];
  for (const offer of offers) {
    const at = merged.findIndex(({ name, mergeable }) => mergeable !== undefined && name === offer.name);
    const first = merged[at]?.mergeable;
    if (first === undefined || offer.mergeable === undefined) merged.push(offer);
    else merged[at] = mergeTwo(offer.name, first, offer.mergeable);
  }
  return merged;
}

function mergeTwo(name: string, first: MergeableOffer, second: MergeableOffer): Offer {
  const options: Record<string, unknown> = { ...first.options };
  for (const [option, value] of Object.entries(second.options)) {
    if (option in options && options[option] !== value)
      throw new TypeError(`"${name}" is offered twice with a different "${option}". Use the same for both`);
    options[option] = value;
  }
  return first.make(joinedSources(first.source, second.source), options);
}

type Source = MergeableOffer['source'];

function joinedSources(first: Source, second: Source): Source {
  if (isArray(first) && isArray(second)) return [...first, ...second];
  return {
    subscribe(to) {
      const parts: (readonly unknown[] | undefined)[] = [undefined, undefined];
      let running = 2;
      const subscriptions = [first, second].map((source, index) => {
        const next = (items: readonly unknown[]): void => {
          parts[index] = items;
          const [before, after] = parts;
          if (before !== undefined && after !== undefined) to.next([...before, ...after]);
        };
        const complete = (): void => {
          running -= 1;
          if (running === 0) to.complete();
        };
        if (!isArray(source)) return source.subscribe({ next, error: (error) => to.error(error), complete });
        next(source);
        complete();
        return undefined;
      });
      return {
        unsubscribe: () => {
          for (const subscription of subscriptions) subscription?.unsubscribe();
        },
      };
    },
  } satisfies Subscribable<readonly unknown[]>;
}

function isArray(source: Source): source is readonly unknown[] {
  return Array.isArray(source);
}
