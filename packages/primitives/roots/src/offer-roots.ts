import type { Caller, Context, Offer, Subscribable } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { defineOffer, liveSet } from '@rxmcp/core/internal';
import { checkedRoot } from './root.js';
import type { Root } from './root.js';

/** Options of {@link offerRoots}. */
export interface OfferRootsOptions {
  /**
   * Asks a person whether a server, in `ctx.caller.info` as it calls itself, may know of these roots, each time it asks.
   * @default what is offered is told
   */
  readonly approve?: (roots: readonly Root[], ctx: Context) => boolean | PromiseLike<boolean>;
  /** Lets roots pass that are no `file:` uri, against the wording of every revision. @default false */
  readonly dangerouslyAllowAnyUri?: boolean;
  /** How long a server waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

/**
 * Tells servers where to work: a list of roots, or a source that emits the whole list whenever it changes.
 *
 * Throws a TypeError for a root that is no valid uri, no `file:` uri, has control characters or steps such as `..` in its path, or is there twice;
 * a live source's list with such a root is dropped with the fault INVALID_OFFER, and the last good one stays. A source
 * without a first value ends the server's question in OFFER_TIMEOUT, an `approve` that does not say true in ASK_REJECTED.
 * Spec 2026-07-28 client/roots.
 */
export function offerRoots(
  roots: readonly Root[] | Subscribable<readonly Root[]>,
  options: OfferRootsOptions = {},
): Offer {
  const { approve, dangerouslyAllowAnyUri = false, offerTimeoutMs } = options;
  if (approve !== undefined && typeof approve !== 'function')
    throw new TypeError('`approve` of offerRoots must be a function');
  const checked = (items: readonly Root[]): readonly Root[] =>
    items.map((root) => checkedRoot(root, dangerouslyAllowAnyUri));
  const set = liveSet({
    name: 'roots',
    source: roots,
    keyOf: (root) => checkedRoot(root, dangerouslyAllowAnyUri).uri,
    content: checked,
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
          const told = checked(await set.ready());
          if (approve !== undefined && (await approve(told, ctx)) !== true)
            throw new RxmcpError('ASK_REJECTED', 'the user keeps the roots to themselves');
          return { roots: told };
        },
      },
    ],
    start: (host) => set.start(host, 'roots'),
  });
}

/**
 * Hears that a client's roots changed; the new ones come with the next {@link listRoots}. Up to 2025-11-25 only: since
 * 2026-07-28 roots are asked for anew whenever a call needs them. What the handler throws becomes a fault.
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
