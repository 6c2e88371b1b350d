import type { Context, JsonObject, Offer, HandlerResult, Subscribable } from '@rxmcp/core';
import { type MergeableOffer, reportFault, namedOffer, rejectUnknownOptions } from '@rxmcp/core/internal';
import { ModelNameWarning } from './model-tool-name.js';
import { runTool } from './run-tool.js';
import { type JsonSchemaCompiler, type Check, checkSerialized } from './schema.js';
import { type Tool, type ToolParts, partsOf } from './tool.js';
import type { JsonSchema } from './types.js';

/** Options of {@link offerTools}. */
export interface OfferToolsOptions {
  /** Entries per page of the list. @default as many as 384 Ki characters hold */
  readonly pageSize?: number;
  /** How long a list or call waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
  /**
   * Checks inputs and outputs of tools with raw JSON Schemas: `validator()` of `@rxmcp/json-schema`, or any function that makes a
   * Standard Schema of a JSON Schema. @default raw schemas are sent but not checked, with the fault SCHEMA_UNCHECKED once per tool
   */
  readonly validator?: JsonSchemaCompiler;
}

const knownOptions: Record<keyof OfferToolsOptions, true> = {
  pageSize: true,
  offerTimeoutMs: true,
  validator: true,
};

/**
 * Offers tools to clients. A live source emits the whole set each time: a changed list is
 * announced, a list with a duplicate name is dropped with a fault, and after the end of the source its last list stays.
 * Names that the APIs of models reject are reported as TOOL_NAME_INCOMPATIBLE.
 * @throws TypeError for a duplicate name in an array, and for a raw schema that `validator` rejects
 * @see Spec 2026-07-28 server/tools
 * @example
 * const greet = tool('greet', () => 'Hello!');
 * const hello = defineServer({ info: { name: 'hello', version: '1.0.0' }, offers: [offerTools([greet])] });
 * serveStdio(hello);
 */
export function offerTools<S extends readonly Tool[] | Subscribable<readonly Tool[]>>(
  source: S,
  options: OfferToolsOptions = {},
): Offer<S extends readonly (infer T)[] ? T : unknown> {
  rejectUnknownOptions('offerTools', options, knownOptions, { schemas: 'validator' });
  const parts = validatedParts(options.validator);
  const names = new ModelNameWarning();
  return namedOffer<Tool>({
    name: 'tools',
    kind: 'tool',
    method: 'tools/call',
    source,
    mergeable: { options: { ...options }, make: offerTools as MergeableOffer['make'] },
    check: (tool) => {
      parts(tool);
      names.check(tool.name);
    },
    started: (host) => names.start((fault) => host.fault(fault)),
    use: caller(parts),
    headerParams: (tool) => partsOf(tool).headerParams,
    pageSize: options.pageSize,
    timeoutMs: options.offerTimeoutMs,
  });
}

/** Runs tools, and reports once per tool which of its schemas are not checked. */
function caller(
  partsFor: (tool: Tool) => ToolParts,
): (tool: Tool, args: JsonObject, ctx: Context) => HandlerResult<JsonObject> {
  const reported = new Set<string>();
  return (tool, args, ctx) => {
    const { name } = tool;
    const parts = partsFor(tool);
    if (parts.raw !== undefined && !reported.has(name)) {
      reported.add(name);
      const sides = [
        ...(parts.raw.input === undefined
          ? []
          : ['the input is raw JSON Schema: its arguments are not checked']),
        ...(parts.raw.output === undefined
          ? []
          : ['the output is raw JSON Schema: its results are not checked']),
      ];
      reportFault(ctx, { code: 'SCHEMA_UNCHECKED', message: `tool "${name}": ${sides.join('; ')}` });
    }
    return runTool(tool, parts, args, ctx);
  };
}

/**
 * Returns the parts of a tool, with raw schemas checked by `schemas`; made once per tool. Throws a TypeError for a rejected
 * schema.
 */
function validatedParts(schemas: JsonSchemaCompiler | undefined): (tool: Tool) => ToolParts {
  if (schemas === undefined) return partsOf;
  const made = new WeakMap<Tool, ToolParts>();
  return (tool) => {
    const parts = partsOf(tool);
    if (parts.raw === undefined) return parts;
    const known = made.get(tool) ?? checked(tool, parts, parts.raw, schemas);
    made.set(tool, known);
    return known;
  };
}

function checked(
  tool: Tool,
  parts: ToolParts,
  { input, output }: NonNullable<ToolParts['raw']>,
  schemas: JsonSchemaCompiler,
): ToolParts {
  return {
    ...parts,
    raw: undefined,
    checkInput: input === undefined ? parts.checkInput : check('input', input),
    checkOutput: output === undefined ? parts.checkOutput : checkSerialized(check('output', output)),
  };

  function check(side: string, schema: JsonSchema): Check {
    try {
      return schemas(schema)['~standard'].validate;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new TypeError(`the ${side} schema of tool "${tool.name}" is rejected: ${why}`, { cause });
    }
  }
}
