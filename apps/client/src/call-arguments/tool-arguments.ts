import type { JsonObject, Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import type { Program } from '../command.js';
import { didYouMean } from '../nearest.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { checkArguments } from './check.js';
import { withMissing } from './missing.js';
import { objectOr, typedArguments } from './typed.js';
import { type GivenArgument, givenArguments } from './words.js';

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
  rejectMisspelled(tool, given, schema);
  const args = await withMissing(tool, typedArguments(given, schema), schema, program);
  await checkArguments(tool, args, schema);
  return args;
}

/** Shorter names are near to any other. */
const minLength = 3;

// A schema may allow other names than those that it lists: only one that is nearly the name of a missing argument is a mistake.
function rejectMisspelled(tool: string, given: readonly GivenArgument[], schema: JsonObject): void {
  const names = Object.keys(objectOr(schema['properties']));
  const missing = names.filter((name) => given.every((one) => one.name !== name));
  for (const { name } of given) {
    const hint = names.includes(name) || name.length < minLength ? '' : didYouMean(name, missing);
    if (hint !== '') throw new UsageError(`${JSON.stringify(tool)} has no argument "${name}"${hint}`);
  }
}
