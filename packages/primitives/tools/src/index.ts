export {
  audio,
  embeddedResource,
  image,
  resourceLink,
  text,
  type ContentBlock,
  type RequiredCapability,
} from '@rxmcp/core';
export { offerTools, type OfferToolsOptions } from './offer-tools.js';
export { fromOpenAiToolCall, toOpenAiTools, type OpenAiTool, type OpenAiToolCall } from './openai-tools.js';
export { orThrow, ToolError, type ToolErrorOptions } from './tool-error.js';
export type { ToolSchema, JsonSchemaCompiler } from './schema.js';
export { tool } from './tool.js';
export type { Tool, ToolArguments, ToolHandler, ToolOptions, ToolReturnValue } from './tool.js';
export { type JsonSchema, type ToolAnnotations, type ToolInfo, type ToolResult, textOf } from './types.js';
export { tools } from './tools.js';
export type {
  ToolCallParameters,
  ToolCallOptions,
  ToolResultOf,
  ToolByName,
  Tools,
  ToolsOf,
  ToolsOptions,
} from './tools.js';
