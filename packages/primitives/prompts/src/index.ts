export { audio, embedded, image, resourceLink, text } from '@rxmcp/core';
export type { ContentBlock } from '@rxmcp/core';
export { cachedPart } from './cached-part.js';
export type { CachedPart, CachedPartOptions } from './cached-part.js';
export { include } from './get-prompt.js';
export { offerPrompts } from './offer.js';
export type { OfferPromptsOptions } from './offer.js';
export { prompt } from './prompt.js';
export type {
  Prompt,
  PromptNeed,
  PromptOptions,
  PromptValue,
  PromptArgumentsSpec,
  PromptValues,
} from './prompt.js';
export { assistant, user } from './types.js';
export type { OfferedArgument, PromptArgument, PromptInfo, PromptMessage, PromptResult } from './types.js';
export { prompts } from './use.js';
export type { Prompts } from './use.js';
export { untrusted } from './untrusted.js';
export type { UntrustedOptions } from './untrusted.js';
