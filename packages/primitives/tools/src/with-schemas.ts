import type { ToolSchemas } from './schema.js';
import type { Tool, ToolParts } from './tool.js';
import { partsOf } from './tool.js';
import type { Check } from './travels.js';
import { asItTravels } from './travels.js';
import type { JsonSchema } from './types.js';

/**
 * What calls of tools need, with raw schemas checked by `schemas`; made once per tool. Throws a TypeError for a schema that
 * is refused.
 */
export function partsWith(schemas: ToolSchemas | undefined): (tool: Tool) => ToolParts {
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
  schemas: ToolSchemas,
): ToolParts {
  return {
    ...parts,
    raw: undefined,
    checkInput: input === undefined ? parts.checkInput : check('input', input),
    checkOutput: output === undefined ? parts.checkOutput : asItTravels(check('output', output)),
  };

  function check(side: string, schema: JsonSchema): Check {
    try {
      return schemas(schema)['~standard'].validate;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new TypeError(`the ${side} of tool "${tool.name}" is refused: ${why}`, { cause });
    }
  }
}
