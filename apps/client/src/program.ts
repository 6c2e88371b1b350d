import type { Readable, Writable } from 'node:stream';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { readArguments } from './arguments.js';
import {
  type Command,
  type CommandEntry,
  generalOptions,
  type Input,
  type OptionTable,
  type Program,
} from './command.js';
import { commands } from './commands/table.js';
import { exitOf, exits } from './failure.js';
import { commandHelp, programHelp } from './help.js';
import { hasColors } from './output/colors.js';
import { LiveRows, type ScreenStream } from './output/live-rows.js';
import { Media } from './output/media.js';
import { Output } from './output/output.js';
import { lackingStep, nextStep } from '@rxmcp/app-serving/next-step';
import { Page } from './output/page.js';
import { didYouMean } from '@rxmcp/app-serving/nearest';
import { oneLine } from './printable.js';
import { Signals, type SignalSource } from './signals.js';
import { Terminal } from './terminal.js';
import { nearestOption } from '@rxmcp/app-serving/read-options';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { describeError } from '@rxmcp/app-serving/describe-error';

/** The process that a command line is run in, or what stands for one. */
export interface ProgramProcess extends SignalSource {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: ScreenStream;
  readonly stderr: ScreenStream;
  readonly env: NodeJS.ProcessEnv;
  exitCode?: number | string | null | undefined;
}

/** Runs a command line. Resolves with the exit code. */
export async function main(argv: readonly string[], process: ProgramProcess): Promise<number> {
  const signals = new Signals(process);
  let unwritten = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    signals.stop();
    // The reader of the output closed it, as `head` does.
    if (code === 'EPIPE' || unwritten) return;
    unwritten = true;
    process.exitCode = exits.answered;
    process.stderr.write(`the output could not be written: ${code ?? oneLine(message)}\n`);
  });
  // If standard error is closed, standard output must still be written.
  process.stderr.on('error', () => undefined);
  // Between two connections nothing else keeps the process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  const code = await run(argv, process, signals);
  clearInterval(alive);
  if (signals.code !== undefined) return signals.code;
  if (unwritten) return exits.answered;
  return signals.signal.aborted ? exits.good : code;
}

async function run(argv: readonly string[], process: ProgramProcess, signals: Signals): Promise<number> {
  let program: (Program & { readonly terminal: Terminal }) | undefined;
  let isDebugged = argv.includes('--debug');
  try {
    rejectOldNode();
    const [name, ...words] = argv;
    if (name === '--help' || name === '-h' || name === 'help') return await help(words[0], process.stdout);
    if (name === '--version')
      throw new UsageError(`unexpected argument ${JSON.stringify(words[0])} after --version`);
    const command = await commandNamed(name, words);
    const input = readArguments(name as string, command, words);
    isDebugged = input.options.debug === true;
    if (input.options.help === true) return await help(name, process.stdout);
    program = programOf(input, process, signals);
    return await command.run(input, program);
  } catch (error) {
    const say = program?.terminal.say ?? ((text: string) => process.stderr.write(`${text}\n`));
    if (!signals.signal.aborted) report(error, isDebugged, argv[0] ?? '', say);
    return exitOf(error);
  } finally {
    program?.terminal.close();
  }
}

/** The exit codes of failures of the network or the system. */
const unanswered: ReadonlySet<number> = new Set([exits.connection, exits.timeout, exits.lost]);

/** @param say - writes lines, some of which have text of a server */
function report(error: unknown, isDebugged: boolean, name: string, say: (text: string) => unknown): void {
  const line = describeError(error);
  const code = exitOf(error);
  const step = unanswered.has(code) ? nextStep(line) : lackingStep(line);
  say(`${oneLine(line)}${step}`);
  if (error instanceof UsageError) {
    const isKnown = Object.hasOwn(commands, name);
    say(isKnown ? `rxmcp ${name} --help lists its options` : 'rxmcp --help lists the commands');
  }
  if (isDebugged && error instanceof Error) say((error.stack ?? '').split('\n').map(oneLine).join('\n'));
}

async function help(name: string | undefined, stdout: Writable): Promise<number> {
  const text = name === undefined ? programHelp(commands) : commandHelp(name, await commandNamed(name));
  stdout.write(`${text}\n`);
  return exits.good;
}

/** Loads a command. Rejects with a UsageError that names the nearest ones, or how a tool is called with these words. */
async function commandNamed(name: string | undefined, words: readonly string[] = []): Promise<Command> {
  if (name === undefined) throw new UsageError('no command is given');
  if (Object.hasOwn(commands, name)) return (commands[name] as CommandEntry).load();
  if (name.startsWith('-')) {
    if (Object.hasOwn(generalOptions, name.slice(2)))
      throw new UsageError(`${name} stands after the name of a command, as in: rxmcp info ${name} TARGET`);
    const hint = nearestOption(name, { ...generalOptions, version: { help: '' } });
    throw new UsageError(`${name} is not an option of rxmcp: those of a command stand after its name${hint}`);
  }
  const names = Object.keys(commands);
  const isCall = words.some((word) => /^[\w-]+:?=/.test(word));
  const hint = didYouMean(name, names) || (isCall ? `. A tool is called as in: rxmcp call ${name} ...` : '');
  throw new UsageError(
    `${JSON.stringify(name)} is not a command${hint === '' ? `. Commands: ${names.join(', ')}` : hint}`,
  );
}

function programOf(
  { options }: Input<OptionTable>,
  { stdin, stdout, stderr, env }: ProgramProcess,
  signals: Signals,
): Program {
  const { approve } = options as { readonly approve?: string };
  const present = stdin.isTTY === true && stderr.isTTY === true;
  const asks = approve === 'ask' || (present && approve !== 'always' && approve !== 'never');
  // Rows that change are drawn on the stream that is a terminal, in its width and with its colours.
  const screen = stderr.isTTY === true ? stderr : stdout;
  const live = new LiveRows(screen, env);
  const page = new Page(hasColors(screen, env), () => screen.columns ?? 0, new Media(undefined));
  return {
    terminal: new Terminal(stdin, stderr, { asks, live, page }),
    output: new Output(stdout, stdout.isTTY === true && options.json !== true, env, live),
    env,
    commands,
    signal: signals.signal,
    onInterrupt: (handler) => signals.onInterrupt(handler),
  };
}

// An older one fails later, with an error that names no cause.
function rejectOldNode(): void {
  const oldest = packageJson.engines.node.replace('>=', '');
  const { node } = process.versions;
  if (node.localeCompare(oldest, undefined, { numeric: true }) < 0)
    throw new UsageError(`rxmcp needs Node.js ${oldest} or newer, this is ${node}. Update Node.js`);
}
