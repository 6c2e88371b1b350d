export { offerCompletion } from './offer-completion.js';
export type { CompletionSources, PromptSources, TemplateSources } from './offer-completion.js';
export { filterByPrefix } from './completion-source.js';
export type { CompletionResult, CompletionSource, CompletionHandler } from './completion-source.js';
export type { Completion } from './completion-result.js';
export { completion, type CompleteOptions, type Completions, type TypeaheadOptions } from './completion.js';
export type { VariableName } from './template-variables.js';
