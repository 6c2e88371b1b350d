export { sample, trySample } from './use.js';
export type { SampleFailure, SampleOutcome } from './use.js';
export { sampleWithTools } from './tool-loop.js';
export type { SampledWithTools, SampleWithToolsParams } from './tool-loop.js';
export { samplingTool } from './sampling-tool.js';
export type {
  SamplingTool,
  SamplingToolInput,
  SamplingToolOptions,
  SamplingToolValue,
} from './sampling-tool.js';
export { offerSampling } from './offer.js';
export type { SamplingModel, SamplingOptions, ContextSource } from './offer.js';
export type { Approval, Approve, CompletionReview, RequestReview, SamplingReview } from './approval.js';
export { openAiModel } from './openai.js';
export type { OpenAiOptions } from './openai.js';
export { ModelError } from './model-error.js';
export type { ModelErrorCode } from './model-error.js';
export { chooseModel } from './choose-model.js';
export type { ModelTraits } from './choose-model.js';
export { tokenBudget } from './token-budget.js';
export type { TokenBudget, TokenBudgetOptions, SamplingCost, SamplingTally } from './token-budget.js';
export { usageOf, withUsage } from './usage.js';
export type { TokenUsage } from './usage.js';
export { blocksOf, textOf } from './blocks.js';
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
