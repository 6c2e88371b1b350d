import { parseArgs } from 'node:util';
import type { Command, Input, OptionTable, TargetWord, WordSpec } from './command.js';
import { nearest } from './nearest.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Reads what follows the name of a command; a connected one takes no target. Throws a UsageError. */
export function readArguments(
  name: string,
  command: Command,
  argv: readonly string[],
  { isConnected = false }: { readonly isConnected?: boolean } = {},
): Input<OptionTable> {
  const split = argv.indexOf('--');
  const { values, positionals } = parsed(name, command, split === -1 ? argv : argv.slice(0, split));
  const options = values as Input<OptionTable>['options'];
  if (options.help === true) return { words: [], target: undefined, options };
  const launched = split === -1 ? undefined : launchedBy(argv.slice(split + 1));
  if (launched !== undefined && (isConnected || command.target === 'none'))
    throw new UsageError(`${name} takes no server: leave out -- and what follows`);
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
  if (missing !== undefined) throw new UsageError(`${name} needs a ${missing.name}`);
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

function parsed(
  name: string,
  { options, words }: Command,
  args: readonly string[],
): ReturnType<typeof parseArgs> {
  // Without `strict`: its messages are about the code of a program.
  const result = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
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
  for (const token of result.tokens) if (token.kind === 'option') check(name, options, words, token);
  return result;
}

interface OptionToken {
  readonly name: string;
  /** As it was written, with its dashes. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value follows an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

function check(
  command: string,
  options: OptionTable,
  words: readonly WordSpec[],
  { name, rawName, value, inlineValue }: OptionToken,
): void {
  if (!Object.hasOwn(options, name)) {
    const takesArguments = words.some(({ suggests }) => suggests === 'arguments');
    const asArgument = takesArguments ? `. An argument is written as ${name}=VALUE` : '';
    throw new UsageError(
      `${command} has no option ${rawName}${nearestOption(rawName, options) || asArgument}`,
    );
  }
  const placeholder = options[name]?.value;
  if (placeholder === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
  } else if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${placeholder}`);
  else if (inlineValue !== true && /^-./.test(value))
    throw new UsageError(
      `${rawName} needs a value: ${rawName} ${placeholder}, or ${rawName}=${placeholder} if it begins with a dash`,
    );
}

/** The question that follows an unknown option: those that take a value of this name, such as a port, or the nearest ones. */
export function nearestOption(rawName: string, options: OptionTable): string {
  if (!rawName.startsWith('--')) return '';
  const name = rawName.slice(2);
  const taking = Object.entries(options).filter(
    ([, { value }]) => value?.toLowerCase() === name.toLowerCase(),
  );
  const near = taking.length > 0 ? taking.map(([option]) => option) : nearest(name, Object.keys(options));
  return near.length === 0 ? '' : `. Did you mean ${near.map((option) => `--${option}`).join(' or ')}?`;
}
