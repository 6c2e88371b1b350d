import { type Annotations, type ContentBlock, type Icon, type JsonObject, RxmcpError } from '@rxmcp/core';
import type { MemberChecks, RemoteLink } from '@rxmcp/core/internal';
import {
  validateContentBlock,
  entryChecks,
  isObject,
  sanitizeContentBlocks,
  quoted,
  omitInvalidMembers,
} from '@rxmcp/core/internal';

/**
 * A JSON Schema as an object, as it is in the list of tools. Draft 2020-12 unless `$schema` names another.
 * @see Schema 2026-07-28 Tool.inputSchema
 * @see Schema 2026-07-28 Tool.outputSchema
 */
export interface JsonSchema {
  readonly $schema?: string;
  readonly type?: string | readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * Hints about what a tool does; not to be trusted.
 * @see Spec 2026-07-28 server/tools#tool
 */
export interface ToolAnnotations {
  /** A name for people; `title` of the tool takes precedence. */
  readonly title?: string;
  /** The tool changes nothing. @default false */
  readonly readOnlyHint?: boolean;
  /** The tool may delete or overwrite data. @default true */
  readonly destructiveHint?: boolean;
  /** A repeated call with the same arguments has no further effect. @default false */
  readonly idempotentHint?: boolean;
  /** The tool works with external systems, such as the web. @default true */
  readonly openWorldHint?: boolean;
  readonly [member: string]: unknown;
}

/**
 * The list entry of a tool. Unknown members are kept.
 * @see Schema 2026-07-28 Tool
 */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/**
 * The result of a call of any tool, as it is sent: MCP's `CallToolResult`. {@link ToolResultOf} has the types of one tool.
 * @see Schema 2026-07-28 CallToolResult
 */
export interface ToolResult {
  /** The result as text, images and other blocks, for the model. */
  readonly content: readonly ContentBlock[];
  /** The result as data: any JSON, also `null` and `0`, so test whether the member exists. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed; the content then describes the failure to the model. @default false */
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

export type { Annotations };

/** Checks one list entry from the wire. Omits optional members of a wrong type; returns undefined for an unusable entry. */
export function toolInfoOf(entry: unknown): ToolInfo | undefined {
  if (!isObject(entry) || typeof entry['name'] !== 'string' || !isObject(entry['inputSchema']))
    return undefined;
  return omitInvalidMembers(entry, optional) as unknown as ToolInfo;
}

/**
 * Checks a result from the wire. Omits invalid annotations and members of links, and reports them to `faults`. Throws
 * INVALID_RESULT.
 */
export function toolResultOf(
  name: string,
  result: JsonObject,
  faults: Pick<RemoteLink, 'fault'>,
): ToolResult {
  const { content, isError } = result;
  if (isError !== undefined && typeof isError !== 'boolean') throw invalid(name, '"isError" is no boolean');
  // Some servers omit the blocks if there is structured content.
  if (content === undefined && 'structuredContent' in result) return { ...result, content: [] };
  if (!Array.isArray(content)) throw invalid(name, '"content" is no array');
  for (let at = 0; at < content.length; at += 1) {
    const problem = validateContentBlock(content[at]);
    if (problem !== undefined) throw invalid(name, `"content[${at}]" ${problem}`);
  }
  const kept = sanitizeContentBlocks(content as readonly ContentBlock[], faults, 'tools/call', name);
  return (kept === content ? result : { ...result, content: kept }) as unknown as ToolResult;
}

/** The texts of a result, one per line. */
export function textOf({ content }: Pick<ToolResult, 'content'>): string {
  if (!Array.isArray(content))
    throw new TypeError('textOf found no "content". Pass the result of a call, as in textOf(await call)');
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

const optional: MemberChecks = {
  ...entryChecks,
  outputSchema: isObject,
  annotations: isObject,
};

function invalid(name: string, problem: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `tools/call ${quoted(name)}: ${problem}`, { outcome: 'answered' });
}
