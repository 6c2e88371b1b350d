import { type Caller, type Context, type Offer, type Subscribable, RxmcpError } from '@rxmcp/core';
import { defineOffer, liveSet, rejectUnknownOptions } from '@rxmcp/core/internal';
import { checkedRoot, type Root } from './root.js';

/** Options of {@link offerRoots}. */
export interface OfferRootsOptions {
  /**
   * Asks a person whether a server may see these roots, each time it asks; `ctx.caller.info` has the server's own name.
   * @default the roots are sent without asking
   */
  readonly approve?: (roots: readonly Root[], ctx: Context) => boolean | PromiseLike<boolean>;
  /** Allows roots with a scheme other than `file:`, which no revision permits. @default false */
  readonly dangerouslyAllowAnyUri?: boolean;
  /** How long a server waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

const knownOptions: Record<keyof OfferRootsOptions, true> = {
  approve: true,
  dangerouslyAllowAnyUri: true,
  offerTimeoutMs: true,
};

/**
 * Offers roots to servers: a list, or a source that emits the whole list whenever it changes.
 * A list of a live source with an invalid root is dropped with the fault INVALID_OFFER, and the last valid list stays.
 * The server's request fails with OFFER_TIMEOUT if the source has no first value in time, and with ASK_REJECTED if
 * `approve` does not return true.
 * @throws TypeError for a root that is not a valid `file:` URI, has control characters or segments such as `..` in
 * its path, or occurs twice
 * @see Spec 2026-07-28 client/roots
 */
export function offerRoots(
  roots: readonly Root[] | Subscribable<readonly Root[]>,
  options: OfferRootsOptions = {},
): Offer {
  rejectUnknownOptions('offerRoots', options, knownOptions);
  const { approve, dangerouslyAllowAnyUri = false, offerTimeoutMs } = options;
  if (approve !== undefined && typeof approve !== 'function')
    throw new TypeError('`approve` of offerRoots must be a function');
  const checked = (items: readonly Root[]): readonly Root[] =>
    items.map((root) => checkedRoot(root, dangerouslyAllowAnyUri));
  const set = liveSet({
    name: 'roots',
    source: roots,
    keyOf: (root) => checkedRoot(root, dangerouslyAllowAnyUri).uri,
    content: (root) => checkedRoot(root, dangerouslyAllowAnyUri),
    timeoutMs: offerTimeoutMs,
  });
  return defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: set.live ? { listChanged: true } : {} },
    methods: [
      {
        method: 'roots/list',
        async handle(_params, ctx) {
          const current = checked(await set.ready());
          if (approve !== undefined && (await approve(current, ctx)) !== true)
            throw new RxmcpError('ASK_REJECTED', 'the user declined to share the roots');
          return { roots: current };
        },
      },
    ],
    start: (host) => set.start(host, 'roots'),
  });
}

/**
 * Handles the notification that a client's roots changed; {@link listRoots} returns the new ones. Up to 2025-11-25 only: since
 * 2026-07-28 a call requests the roots each time it needs them. An error of the handler is reported as a fault.
 */
export function onRootsChanged(handler: (caller: Caller) => void): Offer {
  return defineOffer({
    name: 'roots-changed',
    side: 'server',
    capabilities: {},
    notifications: [
      { method: 'notifications/roots/list_changed', handle: (_params, caller) => handler(caller) },
    ],
  });
}
