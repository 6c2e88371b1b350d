import type { Remote } from 'rxmcp';
import type { Command, CommandEntry, CommandTable, TargetWord } from '../command.js';
import { oneLine } from '../printable.js';
import { valuesOf } from './values.js';

/** What suggestions need from outside. */
export interface Sources {
  readonly commands: CommandTable;
  /** The names of servers in config files. */
  servers(): Promise<readonly string[]>;
  /** Connects to a server, whose words are suggested; undefined without one. Absent in a prompt that is connected. */
  remote(target: TargetWord | undefined, command: Command): Promise<Remote | undefined>;
  readonly signal: AbortSignal;
}

/** The values of options that have fixed ones. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    'auto',
    'modern',
    'legacy',
    '2026-07-28',
    '2025-11-25',
    '2025-06-18',
    '2025-03-26',
    '2024-11-05',
  ],
  approve: ['ask', 'always', 'never'],
  level: ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
};

/** Suggests words that begin with the one at `at`; the first word is the command. */
export async function suggest(
  words: readonly string[],
  at: number,
  sources: Sources,
): Promise<readonly string[]> {
  const typed = words[at] ?? '';
  const found = await candidates(words, at, typed, sources);
  // A word that cannot be shown as it is would be sent unseen.
  return [...new Set(found)].filter((word) => word.startsWith(typed) && oneLine(word) === word);
}

async function candidates(
  words: readonly string[],
  at: number,
  typed: string,
  sources: Sources,
): Promise<readonly string[]> {
  const [name = ''] = words;
  const { commands } = sources;
  if (at === 0) return [...Object.keys(commands), '--help', '--version'];
  // What follows are the words of another program.
  if (words.slice(0, at).includes('--') || !Object.hasOwn(commands, name)) return [];
  const command = await (commands[name] as CommandEntry).load();
  const option = /^--(\S+)$/.exec(words[at - 1] ?? '')?.[1];
  if (option !== undefined && command.options[option]?.value !== undefined)
    return option === 'server' ? sources.servers() : (fixed[option] ?? []);
  if (typed.startsWith('-')) return Object.keys(command.options).map((each) => `--${each}`);
  const before = plainWords(words.slice(1, at), command);
  const spec = command.words[Math.min(before.length, command.words.length - 1)];
  const required = command.words.filter(({ optional }) => optional !== true).length;
  const target = targetAfter(words, at, command);
  const isTarget = command.target !== 'none' && target === undefined && before.length >= required;
  const names = isTarget ? await sources.servers() : [];
  if (spec?.suggests === undefined || (before.length >= command.words.length && spec.repeats !== true))
    return names;
  if (spec.suggests === 'commands') return [...Object.keys(commands), ...names];
  const remote = await sources.remote(target, command);
  if (remote === undefined) return names;
  const of = command.words[0]?.suggests === 'prompts' ? 'prompts' : 'tools';
  const wanted = { suggests: spec.suggests, typed, of, before } as const;
  return [...(await valuesOf(remote, wanted, { signal: sources.signal })), ...names];
}

/** The words that are neither options nor their values. */
function plainWords(words: readonly string[], { options }: Command): readonly string[] {
  const isValue = (at: number): boolean => {
    const [, name = ''] = /^--(\S+)$/.exec(words[at - 1] ?? '') ?? [];
    return options[name]?.value !== undefined;
  };
  return words.filter((word, at) => !word.startsWith('-') && !isValue(at));
}

/** The target, which stands after the word that is typed: what follows `--`, or the last word. */
function targetAfter(words: readonly string[], at: number, command: Command): TargetWord | undefined {
  const after = words.slice(at + 1);
  const split = after.indexOf('--');
  if (split === -1) return plainWords(after, command).at(-1);
  const [program, ...args] = after.slice(split + 1);
  return program === undefined ? undefined : [program, ...args];
}
