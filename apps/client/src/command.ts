import type { OptionTable, OptionValues } from '@rxmcp/app-serving/options';
import type { Remote } from 'rxmcp';
import type { Output } from './output/output.js';
import type { Terminal } from './terminal.js';

export type { OptionTable, OptionValues };

/** A word that a command takes before its target. */
export interface WordSpec {
  /** As in the usage line. */
  readonly name: string;
  readonly optional?: true;
  /** Whether several may follow; only the last word can. */
  readonly repeats?: true;
  /** What shell completion suggests for it. */
  readonly suggests?: 'tools' | 'prompts' | 'resources' | 'arguments' | 'commands';
}

/** Where a server is, as it was written: a URL or a name, or the words after `--`. */
export type TargetWord = string | readonly [command: string, ...args: string[]];

/** A command line, read. */
export interface Input<Table extends OptionTable> {
  readonly words: readonly string[];
  /** Undefined if the command takes no target or none is given. */
  readonly target: TargetWord | undefined;
  readonly options: OptionValues<Table & typeof generalOptions>;
}

/** Options of every command. */
export const generalOptions = {
  json: { help: 'Prints one JSON value per line, as it does without a terminal.' },
  debug: {
    help: 'Logs messages, requests and changes of the connection to standard error, and the stack of an error.',
  },
  help: { help: 'Prints the help of the command.' },
} as const satisfies OptionTable;

/** What surrounds a command. */
export interface Program {
  /** Standard error, and the questions to a person. */
  readonly terminal: Terminal;
  /** Standard output. */
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly commands: CommandTable;
  /** Aborts when the program must end: at a signal, and when standard output is closed. */
  readonly signal: AbortSignal;
  /**
   * Handles Ctrl-C until the returned function is called: the command continues. Without a handler Ctrl-C aborts `signal`. The handler that
   * was added last is called.
   */
  onInterrupt(handler: () => void): () => void;
}

/** A command of the program. */
export interface Command {
  readonly words: readonly WordSpec[];
  /** Whether it takes a target: a URL, a name, or `--` and a command. */
  readonly target: 'one' | 'optional' | 'none';
  /** What a target is, for its help; absent = all that a connection can be made to. */
  readonly targetHelp?: string;
  readonly options: OptionTable;
  /** More about it for its help, in sentences. */
  readonly details: string;
  /** A command line that works, for its help. */
  readonly example: string;
  /**
   * Runs it. Resolves with the exit code. Errors are printed, and decide the exit code: see `failure.ts`.
   */
  run(input: Input<OptionTable>, program: Program): Promise<number>;
  /** Runs it over an open connection, which stays open; absent = it connects in a way of its own, or not at all. */
  readonly on?: (remote: Remote, input: Input<OptionTable>, program: Program) => Promise<number>;
}

/** A line of the table: what is known of a command before it is loaded. */
export interface CommandEntry {
  /** What it does, in half a line of the help. */
  readonly summary: string;
  /** Loads the file of the command. */
  load(): Promise<Command>;
}

/** Commands by name, in the order of the help. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** What {@link command} makes a command of. */
export interface CommandDefinition<Table extends OptionTable> {
  /** @default none */
  readonly words?: readonly WordSpec[];
  /** @default 'none' */
  readonly target?: Command['target'];
  readonly targetHelp?: string;
  /** @default none but the general ones */
  readonly options?: Table;
  readonly details?: string;
  readonly example: string;
  run(input: Input<Table>, program: Program): Promise<number>;
}

/** Defines a command. Each has a line in `src/commands/table.ts`, and similar ones share a file. */
export function command<Table extends OptionTable = Record<never, never>>(
  definition: CommandDefinition<Table>,
): Command {
  const { words = [], target = 'none', targetHelp, options = {}, details = '', example } = definition;
  return {
    words,
    target,
    ...(targetHelp === undefined ? {} : { targetHelp }),
    options: { ...options, ...generalOptions },
    details,
    example,
    run: (input, program) => definition.run(input as unknown as Input<Table>, program),
  };
}
