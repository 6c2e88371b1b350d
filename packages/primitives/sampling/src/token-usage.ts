import type { CreateMessageResult } from './types.js';

/** How many tokens a completion took. */
export interface TokenUsage {
  /** What the model read. */
  readonly inputTokens: number;
  /** What it wrote, what it thought included. */
  readonly outputTokens: number;
}

// Beside the completion, not inside: the server that gets it need not know.
const usages = new WeakMap<object, TokenUsage>();

/** Notes what a completion took, for {@link tokenBudget}; a model of your own calls it on what it returns. */
export function withTokenUsage<T extends CreateMessageResult>(completion: T, usage: TokenUsage): T {
  usages.set(completion, usage);
  return completion;
}

/** What a completion took, where its model said so. */
export function getTokenUsage(completion: object): TokenUsage | undefined {
  return usages.get(completion);
}
