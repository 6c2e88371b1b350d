import { parseArgs } from 'node:util';
import type { Command, Input, OptionTable, TargetWord } from './command.js';
import { didYouMean } from './nearest.js';
import { UsageError } from './usage-error.js';

/** Reads what follows the name of a command. Throws a UsageError. */
export function readArguments(name: string, command: Command, argv: readonly string[]): Input<OptionTable> {
  const split = argv.indexOf('--');
  const { values, positionals } = parsed(name, command, split === -1 ? argv : argv.slice(0, split));
  const options = values as Input<OptionTable>['options'];
  if (options.help === true) return { words: [], target: undefined, options };
  const launched = split === -1 ? undefined : launchedBy(argv.slice(split + 1));
  if (launched !== undefined && command.target === 'none')
    throw new UsageError(`${name} takes no server: leave out -- and what follows`);
  const isTargetElsewhere = launched !== undefined || options['transport'] !== undefined;
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
  if (missing !== undefined) throw new UsageError(`${name} needs a ${missing.name}`);
  const isThere = takesTarget && given.length > required.length;
  if (takesTarget && !isThere && wanted === 'one')
    throw new UsageError(`no server is given: a URL, a SERVER-NAME, or -- and its command`);
  const words = isThere ? given.slice(0, -1) : given;
  if (words.length > specs.length && specs.at(-1)?.repeats !== true)
    throw new UsageError(`"${given.at(-1)}" is one word too many`);
  return { words, target: isThere ? given.at(-1) : undefined };
}

function launchedBy(words: readonly string[]): TargetWord {
  const [command, ...args] = words;
  if (command === undefined || command === '') throw new UsageError('no command stands after --');
  return [command, ...args];
}

function parsed(name: string, { options }: Command, args: readonly string[]): ReturnType<typeof parseArgs> {
  const unknown = args.find((word) => isUnknown(word, options));
  if (unknown !== undefined) throw new UsageError(unknownOption(name, unknown, options));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([option, { value, repeats = false }]) => [
          option,
          {
            type: value === undefined ? 'boolean' : 'string',
            multiple: repeats,
            ...(option === 'help' ? { short: 'h' } : {}),
          } as const,
        ]),
      ),
    });
  } catch (error) {
    // The first sentence names the option, the others how an argument may begin with a dash.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isUnknown(word: string, options: OptionTable): boolean {
  return word.startsWith('--') && !Object.hasOwn(options, optionOf(word));
}

function unknownOption(name: string, word: string, options: OptionTable): string {
  const known = Object.keys(options).map((option) => `--${option}`);
  return `${name} has no option --${optionOf(word)}${didYouMean(`--${optionOf(word)}`, known)}`;
}

function optionOf(word: string): string {
  return word.slice(2).replace(/=.*/s, '');
}
