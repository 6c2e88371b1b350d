export { offerCompletion } from './offer-completion.js';
export type { CompletionSources, PromptSources, TemplateSources } from './offer-completion.js';
export { filterByPrefix } from './completion-source.js';
export type { CompletionResult, CompletionSource, CompletionHandler } from './completion-source.js';
export type { Completion } from './completion-result.js';
export { completion } from './completion.js';
export type { CompleteOptions, Completions, TypeaheadOptions } from './completion.js';
export type { VariableName } from './template-variables.js';
