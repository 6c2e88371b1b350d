import type { Caller, Offer, Subscribable } from '@rxmcp/core';
import { defineOffer, liveSet } from '@rxmcp/core/internal';
import { checkedRoot } from './root-uri.js';
import type { Root } from './types.js';

/** Options of {@link offerRoots}. */
export interface RootsOptions {
  /** Lets roots pass that are no `file:` uri, against the wording of every revision. @default false */
  readonly dangerouslyAllowAnyUri?: boolean;
  /** How long a server waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

/**
 * Tells servers where to work: a list of roots, or a source that emits the whole list whenever it changes.
 *
 * Throws a TypeError for a root that is no valid uri, no `file:` uri, has control characters in its path or is there twice;
 * a live source's list with such a root is dropped with the fault OFFER_INVALID, and the last good one stays. A source
 * without a first value ends the server's question in OFFER_SILENT.
 * Spec 2026-07-28 client/roots.
 */
export function offerRoots(
  roots: readonly Root[] | Subscribable<readonly Root[]>,
  options: RootsOptions = {},
): Offer {
  const { dangerouslyAllowAnyUri = false, offerTimeoutMs } = options;
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
        handle: async () => ({ roots: checked(await set.ready()) }),
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
