export { offerCompletion } from './offer.js';
export type { CompletionSources, PromptSources, TemplateSources } from './offer.js';
export { startingWith } from './source.js';
export type { Found, Source, Suggest } from './source.js';
export type { Completion } from './completion-result.js';
export { completion } from './use.js';
export type { CompleteOptions, Completions, TypingOptions } from './use.js';
export type { VariableName } from './template-variables.js';
