export {
  audio,
  embeddedResource,
  image,
  resourceLink,
  text,
  type ContentBlock,
  type RequiredCapability,
} from '@rxmcp/core';
export { cachedPart, type CachedPart, type CachedPartOptions } from './cached-part.js';
export { includePrompt } from './get-prompt.js';
export { offerPrompts, type OfferPromptsOptions } from './offer-prompts.js';
export { prompt } from './prompt.js';
export type {
  Prompt,
  PromptOptions,
  PromptReturnValue,
  PromptArgumentsSpec,
  PromptArguments,
} from './prompt.js';
export { assistant, user } from './types.js';
export type {
  PromptArgumentDefinition,
  PromptArgument,
  PromptInfo,
  PromptMessage,
  PromptResult,
} from './types.js';
export { prompts } from './prompts.js';
export type { PromptCallParameters, PromptByName, Prompts, PromptsOf } from './prompts.js';
export { untrusted, type UntrustedOptions } from './untrusted.js';
