import { filter, finalize, from, map, mergeMap, type Observable, tap } from 'rxjs';
import { type CallEvent, type JsonObject, type Remote, once } from 'rxmcp';
import { type ToolResult, tools } from 'rxmcp/tools';
import { argumentForms, checkWords, givenArguments } from '../../call-arguments/words.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { shownResult } from '../../output/contents.js';
import type { Program } from '../../command.js';
import { checkArguments } from '../../call-arguments/check.js';
import { withMissing } from '../../call-arguments/missing.js';
import { unknownNames, unlisted } from '../../call-arguments/names.js';
import { objectOr, typedArguments } from '../../call-arguments/typed.js';

export const callCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'tools' },
    { name: 'ARG', optional: true, repeats: true, suggests: 'arguments' },
  ],
  details:
    `ARG is ${argumentForms}.\n` +
    'A VALUE gets the type that the schema of the tool has for it. At a terminal missing arguments are asked for.',
  example: 'rxmcp call echo text=hello -- node server.mjs',
  check: ([, ...args]) => checkWords(args),
  run({ remote, words: [name = '', ...words], program }) {
    const args = toolArguments(remote, name, words, program);
    return from(args).pipe(
      mergeMap((given): Observable<CallEvent<ToolResult>> => tools(remote).events(name, given)),
      tap((event) => {
        if (event.type === 'progress') program.terminal.progress('call', name, event);
      }),
      filter((event) => event.type === 'result'),
      tap(() => program.terminal.endProgress('call')),
      map(({ result }): Line => ({
        value: result,
        failed: result.isError === true,
        show: (page) => shownResult(result, page),
      })),
      finalize(() => program.terminal.endProgress('call')),
    );
  },
});

/**
 * Reads the arguments of a tool, asks a person for missing ones, and checks them against the schema that the server lists. Rejects with a
 * UsageError.
 */
async function toolArguments(
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
