import type { Command, generalOptions, Input, OptionTable, TargetWord, WordSpec } from './command.js';
import { readOptions } from '@rxmcp/app-serving/read-options';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Reads what follows the name of a command; a connected one takes no target. Throws a UsageError. */
export function readArguments(
  name: string,
  command: Command,
  argv: readonly string[],
  { isConnected = false }: { readonly isConnected?: boolean } = {},
): Input<OptionTable> {
  const split = argv.indexOf('--');
  const { values: options, positionals } = readOptions(
    name,
    split === -1 ? argv : argv.slice(0, split),
    command.options as OptionTable & typeof generalOptions,
    (option) =>
      command.words.some(({ suggests }) => suggests === 'arguments')
        ? `. An argument is written as ${option}=VALUE`
        : '',
  );
  if (options.help === true) return { words: [], target: undefined, options };
  const launched = split === -1 ? undefined : launchedBy(argv.slice(split + 1));
  if (launched !== undefined && (isConnected || command.target === 'none'))
    throw new UsageError(
      `${name} takes no server after --: ${'server' in command.options ? 'put it into mcp.json, and pass --server NAME' : 'leave out -- and what follows'}`,
    );
  const isTargetElsewhere = isConnected || launched !== undefined || options['transport'] !== undefined;
  const takesTarget = command.target !== 'none' && !isTargetElsewhere;
  const { words, target } = divided(name, command, positionals, takesTarget);
  return { words, target: launched ?? target, options };
}

/** The target stands last, so it is what is there after the words that are required. */
function divided(
  name: string,
  { words: specs, target: wanted }: Command,
  given: readonly string[],
  takesTarget: boolean,
): { readonly words: readonly string[]; readonly target: string | undefined } {
  const required = specs.filter(({ optional }) => optional !== true);
  const missing = required[given.length];
  if (missing !== undefined)
    throw new UsageError(`${name} needs ${missing.name.includes('|') ? 'one of' : 'a'} ${missing.name}`);
  const isThere = takesTarget && given.length > required.length;
  if (takesTarget && !isThere && wanted === 'one')
    throw new UsageError(
      `no server is given${after(required, given)}: a URL, a SERVER-NAME, or -- and its command`,
    );
  const words = isThere ? given.slice(0, -1) : given;
  if (words.length > specs.length && specs.at(-1)?.repeats !== true) {
    const launch = given.slice(specs.length).join(' ');
    const hint = takesTarget ? `. If these words start a server, write -- before them: -- ${launch}` : '';
    throw new UsageError(`unexpected argument ${JSON.stringify(given.at(-1))}${hint}`);
  }
  return { words, target: isThere ? given.at(-1) : undefined };
}

/** The words that were taken for something else than the server. */
function after(words: readonly WordSpec[], given: readonly string[]): string {
  const taken = words.map(({ name }, at) => `${name} ${JSON.stringify(given[at])}`);
  return taken.length === 0 ? '' : ` after ${taken.join(' and ')}`;
}

function launchedBy(words: readonly string[]): TargetWord {
  const [command, ...args] = words;
  if (command === undefined || command === '') throw new UsageError('no command stands after --');
  return [command, ...args];
}
