export { audio, embeddedResource, image, resourceLink, text } from '@rxmcp/core';
export type { ContentBlock } from '@rxmcp/core';
export { offerTools } from './offer-tools.js';
export type { OfferToolsOptions } from './offer-tools.js';
export { fromOpenAiToolCall, toOpenAiTools } from './openai-tools.js';
export type { OpenAiTool, OpenAiToolCall } from './openai-tools.js';
export { orThrow, ToolError } from './tool-error.js';
export type { ToolSchema, JsonSchemaCompiler } from './schema.js';
export { tool } from './tool.js';
export type { Tool, ToolArguments, RequiredCapability, ToolOptions, ToolValue } from './tool.js';
export type { ToolErrorOptions } from './tool-error.js';
export type { JsonSchema, ToolAnnotations, ToolInfo, ToolResult } from './types.js';
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
export { textOf } from './types.js';
