export { offerCompletion } from './offer.js';
export type { CompletionSources, PromptSources, TemplateSources } from './offer.js';
export { filterByPrefix } from './source.js';
export type { CompletionResult, CompletionSource, CompletionHandler } from './source.js';
export type { Completion } from './completion-result.js';
export { completion } from './use.js';
export type { CompleteOptions, Completions, TypeaheadOptions } from './use.js';
export type { VariableName } from './template-variables.js';
