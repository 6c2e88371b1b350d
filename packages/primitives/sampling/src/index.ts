export { sample, trySample } from './sample.js';
export type { SampleFailure, TrySampleResult } from './sample.js';
export { sampleWithTools } from './sample-with-tools.js';
export type { SampleWithToolsResult, SampleWithToolsParams } from './sample-with-tools.js';
export { samplingTool } from './sampling-tool.js';
export type {
  SamplingTool,
  SamplingToolInput,
  SamplingToolOptions,
  SamplingToolValue,
} from './sampling-tool.js';
export { offerSampling } from './offer-sampling.js';
export type { SamplingModel, OfferSamplingOptions, ContextSource } from './offer-sampling.js';
export type { Approval, Approve, CompletionReview, RequestReview, SamplingReview } from './approval.js';
export { openAiModel } from './openai-model.js';
export type { CompletionOptions, OpenAiModel, OpenAiOptions } from './openai-model.js';
export { ModelError } from './model-error.js';
export type { ModelErrorCode } from './model-error.js';
export { chooseModel } from './choose-model.js';
export type { ModelInfo } from './choose-model.js';
export { tokenBudget } from './token-budget.js';
export type { TokenBudget, TokenBudgetOptions, SamplingCost, SamplingUsage } from './token-budget.js';
export { getTokenUsage, withTokenUsage } from './token-usage.js';
export type { TokenUsage } from './token-usage.js';
export { contentBlocks, messageText } from './message-content.js';
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolChoice,
  ToolDefinition,
  ToolResultContent,
  ToolUseContent,
} from './types.js';
