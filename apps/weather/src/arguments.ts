import { parseArgs } from 'node:util';
import { UsageError } from './usage.js';

/** A command line, read. */
export interface Invocation {
  readonly does: 'serve' | 'print-config' | 'write-config' | 'help' | 'version';
  /** The FILE of `--write-config`. */
  readonly file: string | undefined;
  readonly offline: boolean;
}

const flag = { type: 'boolean' } as const;
const options = {
  offline: flag,
  stdio: flag,
  http: flag,
  'print-config': flag,
  'write-config': flag,
  help: flag,
  version: flag,
} as const;
const actions = ['help', 'version', 'print-config', 'write-config'] as const;

/** Reads a command line. Throws a UsageError. */
export function readArguments(argv: readonly string[]): Invocation {
  const { values, positionals } = parsed(argv);
  const { offline = false } = values;
  const [does = 'serve', another] = actions.filter((name) => values[name] === true);
  if (does === 'help' || does === 'version') return { does, file: undefined, offline };
  if (another !== undefined) throw new UsageError(`--${does} and --${another} cannot be combined`);
  // The word after --http is the port, which `serve` reads.
  const [word, ...more] = does === 'serve' && !values.http ? [undefined, ...positionals] : positionals;
  if (more.length > 0) throw new UsageError(`unexpected argument "${more[0]}"`);
  if (does === 'print-config' && word !== undefined && word !== 'claude-desktop')
    throw new UsageError(`unknown host "${word}". Use "claude-desktop"`);
  return { does, file: word, offline };
}

function parsed(argv: readonly string[]) {
  for (const word of argv) if (word.startsWith('-')) checkOption(word.replace(/=.*/s, ''));
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function checkOption(option: string): void {
  const names = Object.keys(options).map((name) => `--${name}`);
  if (names.includes(option)) return;
  const near = sameBeginning(option, names);
  const hint = near === undefined ? `. There are ${names.join(', ')}` : `, did you mean "${near}"?`;
  throw new UsageError(`unknown option "${option}"${hint}`);
}

// Two letters after the dashes: one alone would suggest anything.
function sameBeginning(option: string, names: readonly string[]): string | undefined {
  for (let length = option.length; length >= 4; length -= 1) {
    const near = names.find((name) => name.startsWith(option.slice(0, length).toLowerCase()));
    if (near !== undefined) return near;
  }
  return undefined;
}
