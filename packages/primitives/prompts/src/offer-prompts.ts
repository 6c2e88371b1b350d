import type { Offer, Subscribable } from '@rxmcp/core';
import { type MergeableOffer, namedOffer, rejectUnknownOptions } from '@rxmcp/core/internal';
import { fillPrompt } from './get-prompt.js';
import { type Prompt, partsOf } from './prompt.js';

/** Options of {@link offerPrompts}. */
export interface OfferPromptsOptions {
  /** Entries per page of the list. @default as many as 384 Ki characters hold */
  readonly pageSize?: number;
  /** How long a list or request waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

const knownOptions: Record<keyof OfferPromptsOptions, true> = {
  pageSize: true,
  offerTimeoutMs: true,
};

/**
 * Offers prompts to clients. A live source emits the whole set each time: a changed list
 * is announced, a list with a duplicate name is dropped with a fault, and after the end of the source its last list stays.
 * @throws TypeError for a duplicate name in an array
 * @see Spec 2026-07-28 server/prompts
 */
export function offerPrompts<S extends readonly Prompt[] | Subscribable<readonly Prompt[]>>(
  source: S,
  options: OfferPromptsOptions = {},
): Offer<S extends readonly (infer P)[] ? P : unknown> {
  rejectUnknownOptions('offerPrompts', options, knownOptions);
  return namedOffer<Prompt>({
    name: 'prompts',
    kind: 'prompt',
    method: 'prompts/get',
    source,
    mergeable: { options: { ...options }, make: offerPrompts as MergeableOffer['make'] },
    check: (prompt) => void partsOf(prompt),
    use: fillPrompt,
    pageSize: options.pageSize,
    timeoutMs: options.offerTimeoutMs,
  });
}
