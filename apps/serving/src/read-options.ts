import { parseArgs } from 'node:util';
import type { EraId } from 'rxmcp';
import { nearest } from './nearest.js';
import type { OptionTable, OptionValues } from './options.js';
import { UsageError } from './usage-error.js';

/**
 * Reads the options and the other words of a command line. Throws a UsageError, which has the nearest names of an unknown option.
 *
 * @param owner - what has the options, for errors
 * @param unlike - what is said of an unknown option that has no near name
 */
export function readOptions<Table extends OptionTable>(
  owner: string,
  args: readonly string[],
  options: Table,
  unlike: (name: string) => string = () => '',
): { readonly values: OptionValues<Table>; readonly positionals: readonly string[] } {
  // Without `strict`: its messages are about the code of a program.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, repeats = false }]) => [
        name,
        {
          type: value === undefined ? 'boolean' : 'string',
          multiple: repeats,
          ...(name === 'help' ? { short: 'h' } : {}),
        } as const,
      ]),
    ),
  });
  for (const token of tokens) if (token.kind === 'option') check(owner, options, unlike, token);
  return { values: values as OptionValues<Table>, positionals };
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
  owner: string,
  options: OptionTable,
  unlike: (name: string) => string,
  { name, rawName, value, inlineValue }: OptionToken,
): void {
  if (!Object.hasOwn(options, name))
    throw usage(`${owner} has no option ${rawName}${nearestOption(rawName, options) || unlike(name)}`);
  const placeholder = options[name]?.value;
  if (placeholder === undefined) {
    if (value !== undefined) throw usage(`${rawName} takes no value`);
  } else if (value === undefined) throw usage(`${rawName} needs a value: ${rawName} ${placeholder}`);
  else if (inlineValue !== true && /^-./.test(value))
    throw usage(
      `${rawName} needs a value: ${rawName} ${placeholder}, or ${rawName}=${placeholder} if it begins with a dash`,
    );
}

const usage = (message: string): UsageError => new UsageError(message, true);

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

/** Reads `--protocol`: which eras or revisions are spoken. Throws a UsageError. */
export function protocolOf(protocol = 'auto'): {
  readonly eras?: readonly EraId[];
  readonly versions?: readonly string[];
} {
  if (protocol === 'auto') return {};
  if (protocol === 'modern' || protocol === 'legacy') return { eras: [protocol] };
  if (/^\d{4}-\d{2}-\d{2}$/.test(protocol)) return { versions: [protocol] };
  throw new UsageError(`--protocol ${JSON.stringify(protocol)} must be auto, modern, legacy or a date`);
}
