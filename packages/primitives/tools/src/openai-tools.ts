import { type JsonObject, RxmcpError } from '@rxmcp/core';
import { isObject, quoted } from '@rxmcp/core/internal';
import { isModelToolName, maxModelNameChars } from './model-tool-name.js';
import type { ToolInfo } from './types.js';

/** A function tool of OpenAI's chat completions. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** A call of a function tool, as it is in a message of the model. */
export interface OpenAiToolCall {
  readonly function: {
    readonly name: string;
    /** The arguments as JSON. */
    readonly arguments: string;
  };
}

/**
 * Converts tools of a list to function tools of OpenAI's chat completions, in the same order. A name that the API rejects is sent
 * with "_" for other characters, at most 64 characters long; `fromOpenAiToolCall(call, list)` returns the name of the tool.
 */
export function toOpenAiTools(list: readonly ToolInfo[]): OpenAiTool[] {
  const names = modelNames(list);
  return list.map(({ description, inputSchema }, at) => ({
    type: 'function',
    function: {
      name: names[at] as string,
      ...(description === undefined ? {} : { description }),
      // Some endpoints reject an object without properties.
      parameters: { properties: {}, ...inputSchema },
    },
  }));
}

/**
 * Converts a tool call of the model to the parameters of `tools(remote).call(name, arguments)`.
 * @param call - an entry of `message.tool_calls`
 * @param list - the list that was converted, for the names that were changed. Default: the name is that of the call
 * @throws RxmcpError `INVALID_ARGUMENTS` if the arguments are not the JSON of an object
 * @throws TypeError for a value that is not a tool call
 */
export function fromOpenAiToolCall(
  call: OpenAiToolCall,
  list: readonly ToolInfo[] = [],
): { name: string; arguments: JsonObject } {
  const { name, arguments: text } = (call as Partial<OpenAiToolCall> | undefined)?.function ?? {};
  if (typeof name !== 'string' || typeof text !== 'string')
    throw new TypeError(
      'fromOpenAiToolCall: expected an entry of `message.tool_calls`, { function: { name, arguments } }',
    );
  const at = modelNames(list).indexOf(name);
  return { name: list[at]?.name ?? name, arguments: argumentsOf(name, text) };
}

function argumentsOf(name: string, text: string): JsonObject {
  // Models that pass no arguments send an empty text.
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(name, `are not JSON: ${(cause as Error).message}`, cause);
  }
  if (!isObject(value)) throw invalid(name, 'are not a JSON object');
  return value;
}

function invalid(name: string, problem: string, cause?: unknown): RxmcpError {
  return new RxmcpError('INVALID_ARGUMENTS', `the arguments of the tool call ${quoted(name)} ${problem}`, {
    cause,
  });
}

/** The names for the API: first those that it accepts, so that no changed name takes the place of one of them. */
function modelNames(list: readonly ToolInfo[]): readonly string[] {
  const taken = new Set(list.map(({ name }) => name).filter(isModelToolName));
  return list.map(({ name }) => {
    if (isModelToolName(name)) return name;
    const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxModelNameChars) || '_';
    let unique = plain;
    for (let next = 2; taken.has(unique); next += 1) {
      const end = `_${next}`;
      unique = plain.slice(0, maxModelNameChars - end.length) + end;
    }
    taken.add(unique);
    return unique;
  });
}
