import type { JsonObject, Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import type { Program } from '../command.js';
import { checkArguments } from './check.js';
import { withMissing } from './missing.js';
import { typedArguments } from './typed.js';
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
  const args = await withMissing(tool, typedArguments(given, schema), schema, program);
  await checkArguments(tool, args, schema);
  return args;
}
