import type {
  ContentBlock,
  Context,
  InferOutput,
  JsonObject,
  HandlerResult,
  StandardSchema,
} from '@rxmcp/core';
import { isContentBlock, RxmcpError, text } from '@rxmcp/core';
import {
  validateContentBlock,
  checkName,
  reportFault,
  isObject,
  isStandardSchema,
  formatIssues,
  copyJsonSchema,
  toJsonSchema,
  rejectUnwrappedSchemas,
  resultPromise,
  rejectUnknownOptions,
} from '@rxmcp/core/internal';
import type { ToolDefinition, ToolResultContent, ToolUseContent } from '../messages/types.js';

/** What the handler of a {@link SamplingTool} may return to the model: a text, a block, blocks, or a result with `isError`. */
export type SamplingToolReturnValue =
  string | ContentBlock | readonly ContentBlock[] | Omit<ToolResultContent, 'type' | 'toolUseId'>;

/** Options of {@link samplingTool}. */
export interface SamplingToolOptions<I> {
  /** For the model. */
  readonly description?: string;
  /** Inputs are checked against it before the tool runs; a raw JSON Schema is sent but not checked. @default any object */
  readonly input?: I;
}

const knownOptions: Record<keyof SamplingToolOptions<undefined>, true> = {
  description: true,
  input: true,
};

/** The input of a tool: the output of the schema, or any object. */
export type SamplingToolInput<I> = I extends StandardSchema ? InferOutput<I> : JsonObject;

/** A tool that a model may use in one conversation; made by {@link samplingTool}. */
export interface SamplingTool {
  readonly definition: ToolDefinition;
  /** Returns the tool result for the model. Rejects only if the run of the handler ends. */
  answer(use: ToolUseContent, ctx: Context): Promise<ToolResultContent>;
}

/**
 * Makes a tool for {@link sampleWithTools}. It belongs to that conversation only and is in no list of tools. An error of `run`
 * is reported as a fault, and the model receives a general error; return `{ content, isError: true }` for a specific one.
 * @throws TypeError for a schema that cannot be converted to JSON Schema
 */
export function samplingTool<I extends StandardSchema | JsonObject | undefined = undefined>(
  name: string,
  options: SamplingToolOptions<I>,
  run: (input: SamplingToolInput<I>, ctx: Context) => HandlerResult<SamplingToolReturnValue>,
): SamplingTool {
  checkName('sampling tool', name);
  rejectUnknownOptions(`sampling tool "${name}"`, options, knownOptions, {
    inputSchema: 'input',
    parameters: 'input',
  });
  const { description, input } = options;
  const where = `the input of the sampling tool "${name}"`;
  if (typeof run !== 'function') throw new TypeError(`the sampling tool "${name}" needs a function`);
  rejectUnwrappedSchemas(where, input);
  const definition: ToolDefinition = {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchemaOf(where, input),
  };
  const made = async (given: JsonObject, ctx: Context): Promise<ToolOutput> => {
    const checked = await check(input, given);
    if ('problem' in checked) return failed(`the input of "${name}" is invalid: ${checked.problem}`);
    const output = run(checked.value as SamplingToolInput<I>, ctx);
    return blocksOf(await resultPromise(output, ctx, `the sampling tool "${name}" gave nothing`));
  };
  return {
    definition,
    async answer({ id, input: given }, ctx) {
      const output = await made(given, ctx).catch((cause: unknown) => {
        // The run of the handler ends here; a later one may get the answer.
        if (ctx.signal.aborted || RxmcpError.is(cause, 'ASK_SUSPENDED')) throw cause;
        reportFault(ctx, { code: 'HANDLER_FAILED', message: `the sampling tool "${name}" failed`, cause });
        return failed(`the tool "${name}" failed`);
      });
      return { type: 'tool_result', toolUseId: id, ...output };
    },
  };
}

type ToolOutput = Omit<ToolResultContent, 'type' | 'toolUseId'>;

/** An error result for the model. */
export function failed(what: string): ToolOutput {
  return { content: [text(what)], isError: true };
}

function inputSchemaOf(where: string, input: StandardSchema | JsonObject | undefined): JsonObject {
  if (input === undefined) return { type: 'object' };
  return isStandardSchema(input) ? toJsonSchema(where, input, 'input') : copyJsonSchema(where, input);
}

async function check(
  schema: unknown,
  input: JsonObject,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  if (!isStandardSchema(schema)) return { value: input };
  const { issues, ...outcome } = await schema['~standard'].validate(input);
  return issues === undefined
    ? { value: (outcome as { value: unknown }).value }
    : { problem: formatIssues(issues) };
}

function blocksOf(value: SamplingToolReturnValue): ToolOutput {
  if (typeof value === 'string') return { content: [text(value)] };
  const blocks = isContentBlock(value) ? [value] : value;
  const output = Array.isArray(blocks)
    ? { content: blocks as readonly ContentBlock[] }
    : (blocks as ToolOutput);
  if (!isObject(output) || !Array.isArray(output.content))
    throw new TypeError('`samplingTool`: its handler must return a text, content blocks or { content }');
  const problem = output.content.map(validateContentBlock).find((one) => one !== undefined);
  if (problem !== undefined) throw new TypeError(`the result of a sampling tool ${problem}`);
  return output;
}
