import { checkOffer } from '../base/brand.js';
import { isObject } from '../base/checks.js';
import type { MergeableOffer, Offer, Subscribable } from '../contract/offer.js';
import { markPartial } from './forwarded-item.js';

/**
 * Merges the offers of one name, such as two of `offerTools`, into one. Offers that cannot be merged stay as they are. Throws a
 * TypeError for anything but an array of offers.
 */
export function mergeOffers(offers: readonly Offer[] | undefined): readonly Offer[] {
  if (!Array.isArray(offers)) {
    throw new TypeError(
      offers === undefined
        ? 'the server has no "offers". Pass an array, as in offers: [offerTools([...])]'
        : '"offers" must be an array. Put the offer in brackets, as in offers: [offerTools([...])]',
    );
  }
  const merged: Offer[] = [];
  for (const [index, offer] of (offers as readonly Offer[]).entries()) {
    rejectItem(offer, `offers[${index}]`);
    checkOffer(offer, `offers[${index}]`);
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
          if (before !== undefined && after !== undefined)
            to.next(markPartial([...before, ...after], before, after));
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

// An item that an offer takes is a usual slip. Its package marks it with a symbol, since core does not know the primitives.
function rejectItem(value: unknown, where: string): void {
  for (const [kind, call] of itemOffers) {
    if (isObject(value) && Symbol.for(`rxmcp.${kind}`) in value)
      throw new TypeError(`"${where}" is a ${kind}, not an offer: wrap it, as in ${call}([${kind}])`);
  }
}

const itemOffers = [
  ['tool', 'offerTools'],
  ['prompt', 'offerPrompts'],
  ['resource', 'offerResources'],
  ['template', 'offerResources'],
] as const;
