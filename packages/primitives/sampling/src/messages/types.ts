import type { AudioContent, ContentBlock, ImageContent, JsonObject, Role, TextContent } from '@rxmcp/core';

/** A request of the model to use a tool. */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject;
}

/**
 * A tool as described to a model; it need not be a tool of the server.
 * @see Schema 2026-07-28 Tool
 */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema of type `object`. */
  readonly inputSchema: JsonObject;
  readonly [member: string]: unknown;
}

/** Whether a model may (the default), must, or must not use tools. */
export interface ToolChoice {
  readonly mode?: 'auto' | 'required' | 'none';
}

/** The result of a tool use; a user message with tool results holds nothing else. */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/**
 * One piece of a sampling message.
 * @see Schema 2026-07-28 SamplingMessageContentBlock
 */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One turn of a conversation with a model. */
export interface SamplingMessage {
  readonly role: Role;
  /** One block, or several if both sides use 2025-11-25 or later. */
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: JsonObject;
}

/** The server's preferences for a model; the client decides. Priorities are from 0 to 1. */
export interface ModelPreferences {
  /** Names of models or parts of them, the preferred first. */
  readonly hints?: readonly { readonly name?: string; readonly [member: string]: unknown }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/**
 * A request for a completion.
 * @see Schema 2026-07-28 CreateMessageRequestParams
 */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  /** Most tokens of the completion. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: ModelPreferences;
  /** Sent only to clients that declare `sampling.context`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Data for the model's provider, in its own format. */
  readonly metadata?: JsonObject;
  /** Tools the model may use; needs a client that declares `sampling.tools`. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly [member: string]: unknown;
}

/**
 * A completion.
 * @see Schema 2026-07-28 CreateMessageResult
 */
export interface CreateMessageResult {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  /** The name of the model that wrote it. */
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or a value of the provider. */
  readonly stopReason?: string;
  readonly [member: string]: unknown;
}
