import type { JsonObject, Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import type { Program } from '../command.js';
import { checkArguments } from './check.js';
import { withMissing } from './missing.js';
import { unknownNames, unlisted } from './names.js';
import { objectOr, typedArguments } from './typed.js';
import { givenArguments } from './words.js';

/**
 * Reads the arguments of a tool, asks a person for missing ones, and checks them against the schema that the server lists. Rejects with a
 * UsageError.
 */
export async function toolArguments(
  remote: Remote,
  tool: string,
  words: readonly string[],
  program: Program,
): Promise<JsonObject> {
  const { terminal, signal } = program;
  const given = await givenArguments(words, () => terminal.rest(signal));
  const list = await once(tools(remote).list(), { signal });
  const schema = list.find(({ name }) => name === tool)?.inputSchema;
  // The server answers that there is no such tool.
  if (schema === undefined) return typedArguments(given, {});
  const names = Object.keys(objectOr(schema['properties']));
  const unknown = unknownNames(
    tool,
    given.map(({ name }) => name),
    names,
  );
  const args = await withMissing(tool, typedArguments(given, schema), schema, program);
  await checkArguments(tool, args, schema);
  const doubt = isComplete(schema) ? unlisted(tool, unknown, names) : '';
  if (doubt !== '') terminal.tell(doubt);
  return args;
}

/** Where a schema may name further properties, or allow any. */
const others = ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf', 'if'];

/** Whether the `properties` of a schema are all that its author knows of, though others are valid too. */
function isComplete(schema: JsonObject): boolean {
  return 'properties' in schema && !others.some((word) => word in schema);
}
