export { audio, embeddedResource, image, resourceLink, text } from '@rxmcp/core';
export type { ContentBlock, RequiredCapability } from '@rxmcp/core';
export { offerTools } from './offer-tools.js';
export type { OfferToolsOptions } from './offer-tools.js';
export { fromOpenAiToolCall, toOpenAiTools } from './openai-tools.js';
export type { OpenAiTool, OpenAiToolCall } from './openai-tools.js';
export { orThrow, ToolError } from './tool-error.js';
export type { ToolSchema, JsonSchemaCompiler } from './schema.js';
export { tool } from './tool.js';
export type { Tool, ToolArguments, ToolOptions, ToolReturnValue } from './tool.js';
export type { ToolErrorOptions } from './tool-error.js';
export type { JsonSchema, ToolAnnotations, ToolInfo, ToolResult } from './types.js';
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
export { textOf } from './types.js';
