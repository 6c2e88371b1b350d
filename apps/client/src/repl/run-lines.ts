import { homedir } from 'node:os';
import { join, dirname } from 'node:path';
import type { Remote } from 'rxmcp';
import { readArguments } from '../arguments.js';
import type { Command, CommandTable, Program } from '../command.js';
import { type SplitLine, splitLine } from '../completion/split-line.js';
import { suggest } from '../completion/suggest.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { exitOf, exits } from '../failure.js';
import { commandHelp } from '../help.js';
import { didYouMean } from '@rxmcp/app-serving/nearest';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { maxHistory, type Terminal } from '../terminal.js';

/** Commands that connect in a way of their own, or to nothing, and so have no place in a connected prompt. */
const elsewhere = new Set([
  'servers',
  'doctor',
  'repl',
  'serve',
  'bridge',
  'gateway',
  'completion',
  'chat',
  'login',
  'logout',
  'auth',
]);
const namesOf = (commands: CommandTable): readonly string[] =>
  Object.keys(commands).filter((name) => !elsewhere.has(name));

/**
 * Runs the commands of lines over one connection, until the end of input, `exit`, or the loss of the connection. Resolves with the exit code:
 * that of the last command where input is no terminal.
 */
export async function runLines(remote: Remote, program: Program): Promise<number> {
  const { signal, terminal, env } = program;
  const isInteractive = terminal.isTerminal;
  const config = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const file = join(config, 'rxmcp', 'history');
  if (isInteractive) terminal.history = readHistory(file);
  let isClosed = false;
  remote.status$.subscribe(({ state }) => (isClosed = state === 'closed'));
  if (isInteractive) terminal.tell('help lists the commands, exit or Ctrl-D ends');
  let code: number = exits.good;
  try {
    while (!isClosed) {
      const read = terminal.edited('rxmcp> ', (typed) => completed(typed, remote, program), signal);
      const line = (await read)?.trim();
      if (line === undefined || line === 'exit' || line === 'quit') return isInteractive ? exits.good : code;
      if (line !== '' && !line.startsWith('#')) code = await runLine(line, remote, program);
    }
    terminal.tell('the connection is closed');
    return exits.connection;
  } finally {
    if (isInteractive) writeHistory(file, terminal);
  }
}

/** Runs one line. Ctrl-C cancels it, and nothing else. */
async function runLine(line: string, remote: Remote, program: Program): Promise<number> {
  const cancelling = new AbortController();
  const release = program.onInterrupt(() => cancelling.abort());
  try {
    const { words, isOpen } = slashWords(splitLine(line));
    if (isOpen) throw new UsageError('a quotation mark is not closed');
    const [name = '', ...args] = words;
    if (name === 'help') return await help(args[0], program);
    const command = await commandNamed(name, program);
    const input = readArguments(name, command, args, { isConnected: true });
    if (input.options.help === true) return await help(name, program);
    const signal = AbortSignal.any([program.signal, cancelling.signal]);
    return (await command.on?.(remote, input, { ...program, signal })) ?? exits.good;
  } catch (error) {
    program.terminal.tell(describeError(error));
    return exitOf(error);
  } finally {
    release();
    if (cancelling.signal.aborted) program.terminal.tell('cancelled');
  }
}

/** `/NAME` is the command for a prompt. */
function slashWords(line: SplitLine): SplitLine & { readonly isSlash: boolean } {
  const [first = '', ...others] = line.words;
  const isSlash = first.startsWith('/');
  return { ...line, isSlash, words: isSlash ? ['prompt', first.slice(1), ...others] : line.words };
}

async function commandNamed(name: string, { commands }: Program): Promise<Command> {
  const names = namesOf(commands);
  const entry = names.includes(name) ? commands[name] : undefined;
  if (entry !== undefined) return entry.load();
  const hint = didYouMean(name, [...names, 'help', 'exit']);
  throw new UsageError(
    `${JSON.stringify(name)} is not a command here${hint === '' ? `. Commands: ${names.join(', ')}, help, exit` : hint}`,
  );
}

async function help(name: string | undefined, program: Program): Promise<number> {
  const { terminal, commands } = program;
  if (name === undefined)
    for (const each of [...namesOf(commands), '/PROMPT'])
      terminal.tell(`${each.padEnd(10)} ${commands[each]?.summary ?? 'gets the messages of a prompt'}`);
  else terminal.say(commandHelp(name, { ...(await commandNamed(name, program)), target: 'none' }));
  return exits.good;
}

async function completed(
  line: string,
  remote: Remote,
  { commands, signal }: Program,
): Promise<[string[], string]> {
  const { words, endsInWord, isSlash } = slashWords(splitLine(line));
  const all = endsInWord ? words : [...words, ''];
  const found = await suggest(all, all.length - 1, {
    commands: Object.fromEntries(Object.entries(commands).filter(([name]) => !elsewhere.has(name))),
    signal,
    servers: () => Promise.resolve([]),
    remote: () => Promise.resolve(remote),
  });
  const typed = all.at(-1) ?? '';
  const own = all.length === 1 ? ['help', 'exit'] : [];
  const fitting = [...found, ...own].filter((word) => word.startsWith(typed));
  // The name of a prompt was typed with its slash.
  return isSlash && all.length === 2 ? [fitting.map((word) => `/${word}`), `/${typed}`] : [fitting, typed];
}

/** The lines of a file that earlier sessions wrote, the latest first; none if there is no file. */
function readHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').slice(0, maxHistory);
  } catch {
    return [];
  }
}

/** Writes the lines of a terminal. A failure is no reason to lose the session. */
function writeHistory(file: string, { history, tell }: Terminal): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, history.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    tell(`the history could not be written to ${file}`);
  }
}
