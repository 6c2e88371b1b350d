export { audio, embeddedResource, image, resourceLink, text, type ContentBlock } from '@rxmcp/core';
export { offerTools, type OfferToolsOptions } from './offer-tools.js';
export { fromOpenAiToolCall, toOpenAiTools, type OpenAiTool, type OpenAiToolCall } from './openai-tools.js';
export { orThrow, ToolError, type ToolErrorOptions } from './tool-error.js';
export type { ToolSchema, JsonSchemaCompiler } from './schema.js';
export { tool } from './tool.js';
export type { Tool, ToolArguments, RequiredCapability, ToolOptions, ToolValue } from './tool.js';
export { type JsonSchema, type ToolAnnotations, type ToolInfo, type ToolResult, textOf } from './types.js';
export { tools } from './tools.js';
export type {
  ToolCallParameters,
  ToolCallOptions,
  ToolCallResult,
  ToolByName,
  Tools,
  ToolsOf,
  ToolsOptions,
  TypedToolResult,
} from './tools.js';
