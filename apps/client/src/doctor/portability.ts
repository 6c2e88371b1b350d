import type { JsonObject } from 'rxmcp';
import type { ToolInfo } from 'rxmcp/tools';

/** What the APIs of models reject in a tool, and how to mend it; undefined where all accept it. */
export function unportable({ name, inputSchema }: ToolInfo): { cause: string; fix: string } | undefined {
  const tool = `the tool ${JSON.stringify(name)}`;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return {
      cause: `${tool} has a name that APIs of models reject`,
      fix: 'Use 1 to 64 of the characters a-z A-Z 0-9 _ -',
    };
  const schema = inputSchema as JsonObject;
  if (schema['type'] !== 'object')
    return { cause: `${tool}: its input schema has no "type": "object"`, fix: 'Describe an object' };
  const combined = ['anyOf', 'oneOf', 'allOf', '$ref'].find((word) => schema[word] !== undefined);
  if (combined !== undefined)
    return {
      cause: `${tool}: its input schema has "${combined}" at the top, which APIs of models reject`,
      fix: 'Move it into a property',
    };
  const outside = outsideReference(schema);
  return outside === undefined
    ? undefined
    : {
        cause: `${tool}: its input schema refers to ${JSON.stringify(outside)}, which no client loads`,
        fix: 'Move the schema into "$defs"',
      };
}

/** The first `$ref` that leaves the schema. */
function outsideReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return $ref;
  for (const item of Object.values(value)) {
    const found = outsideReference(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
