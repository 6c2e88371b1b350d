import type { CreateMessageResult } from '../messages/types.js';

/** The token usage of a completion. */
export interface TokenUsage {
  /** Input tokens. */
  readonly inputTokens: number;
  /** Output tokens, including reasoning. */
  readonly outputTokens: number;
  /** The cost that the endpoint reports, in its currency. */
  readonly cost?: number;
}

// Kept outside the completion, so that it is not sent to the server.
const usages = new WeakMap<object, TokenUsage>();

/** Records the token usage of a completion, for {@link tokenBudget}; a custom model calls it on its result. */
export function withTokenUsage<T extends CreateMessageResult>(completion: T, usage: TokenUsage): T {
  usages.set(completion, usage);
  return completion;
}

/** Returns the token usage of a completion; undefined if its model did not report it. */
export function getTokenUsage(completion: object): TokenUsage | undefined {
  return usages.get(completion);
}
