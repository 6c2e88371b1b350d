export { sample, trySample, type SampleFailure, type TrySampleResult } from './ask/sample.js';
export { sampleWithTools } from './ask/sample-with-tools.js';
export type { SampleWithToolsResult, SampleWithToolsParams } from './ask/sample-with-tools.js';
export { samplingTool } from './ask/sampling-tool.js';
export type {
  SamplingTool,
  SamplingToolInput,
  SamplingToolOptions,
  SamplingToolReturnValue,
} from './ask/sampling-tool.js';
export { offerSampling } from './offer/offer-sampling.js';
export type { SamplingModel, OfferSamplingOptions, ContextSource } from './offer/offer-sampling.js';
export type { Approval, Approve, CompletionReview, RequestReview, SamplingReview } from './offer/approval.js';
export { openAiModel } from './openai/openai-model.js';
export type { CompletionOptions, OpenAiModel, OpenAiOptions } from './openai/openai-model.js';
export { ModelError, type ModelErrorCode } from './messages/model-error.js';
export { chooseModel, type ModelInfo } from './offer/choose-model.js';
export { tokenBudget } from './budget/token-budget.js';
export type { TokenBudget, TokenBudgetOptions, SamplingCost, SamplingUsage } from './budget/token-budget.js';
export { getTokenUsage, withTokenUsage, type TokenUsage } from './budget/token-usage.js';
export { contentBlocks, messageText } from './messages/message-content.js';
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
} from './messages/types.js';
