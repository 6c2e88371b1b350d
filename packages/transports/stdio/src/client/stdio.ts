import { type ChildProcess, spawn } from 'node:child_process';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import {
  type Connection,
  createConnection,
  type DialOptions,
  notSentError,
  pipeTraits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { ChildChannel, type ChildStderr, type CloseTimeouts } from './child-channel.js';

/** Options of {@link stdio}. */
export interface StdioOptions {
  /** The program: a path, or a name looked up in `PATH`. No shell reads it. */
  readonly command: string;
  /** Its arguments, passed as they are. @default [] */
  readonly args?: readonly string[];
  /** Variables added to the safe ones: HOME, LOGNAME, PATH, SHELL, TERM, USER, LANG and Windows' counterparts. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory. @default the one of this process */
  readonly cwd?: string;
  /**
   * Where its stderr goes: to that of this process (`inherit`), nowhere (`ignore`), or line by line to a function. The last 64 KiB are
   * kept for errors in any case. @default 'inherit'
   */
  readonly stderr?: ChildStderr;
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long to wait for the child to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How patient a close is, in milliseconds. @default { stdinTimeoutMs: 2000, sigtermTimeoutMs: 2000 } */
  readonly closeTimeouts?: CloseTimeouts;
}

const knownOptions: Record<keyof StdioOptions, true> = {
  command: true,
  args: true,
  env: true,
  cwd: true,
  stderr: true,
  maxMessageBytes: true,
  writeTimeoutMs: true,
  closeTimeouts: true,
};

/**
 * Creates a transport to a server that runs as a child process. Each dial starts a process; closing ends it with all processes that
 * it started. A dial rejects with `DIAL_FAILED` (the program cannot be started) or `DIAL_ABORTED`. A child that exits on its own
 * ends the connection with `PEER_CLOSED` (exit code 0) or `CONNECTION_LOST`, with `exitCode`, `signal` and `stderr` in `details`.
 * MCP basic, transports, stdio.
 */
export function stdio(options: StdioOptions): Transport {
  checkCommand(options);
  rejectUnknownOptions('stdio', options, knownOptions, { stallMs: 'writeTimeoutMs' });
  const knownTimeouts = { stdinTimeoutMs: true, sigtermTimeoutMs: true } satisfies Record<
    keyof CloseTimeouts,
    true
  >;
  rejectUnknownOptions('stdio closeTimeouts', options.closeTimeouts, knownTimeouts, {
    inputMs: 'stdinTimeoutMs',
    termMs: 'sigtermTimeoutMs',
  });
  checkArgs(options.args);
  checkStderr(options.stderr);
  return { name: 'stdio', dial: (dialOptions) => dial(options, dialOptions) };
}

async function dial(options: StdioOptions, { signal }: DialOptions = {}): Promise<Connection> {
  if (isAborted(signal)) throw aborted(options, signal);
  rejectBatchFile(options.command);
  const child = start(options);
  const channel = new ChildChannel(child, options);
  const failure = await spawned(child, signal);
  if (isAborted(signal)) {
    await channel.kill();
    throw aborted(options, signal);
  }
  if (failure !== undefined) {
    await channel.kill();
    throw cannotStart(options, failure);
  }
  const { maxMessageBytes = pipeTraits.maxMessageBytes } = options;
  return createConnection(channel, { ...pipeTraits, maxMessageBytes });
}

function start(options: StdioOptions): ChildProcess {
  try {
    return spawn(options.command, [...(options.args ?? [])], {
      cwd: options.cwd,
      env: childEnvironment(options.env ?? {}),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A process group of its own, so that all that it starts can be ended with it.
      detached: process.platform !== 'win32',
    });
  } catch (cause) {
    throw cannotStart(options, cause);
  }
}

/** Waits until the child runs, cannot run, or is not wanted any more. */
function spawned(child: ChildProcess, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (failure?: unknown): void => {
      signal?.removeEventListener('abort', unwanted);
      resolve(failure);
    };
    const unwanted = (): void => settle();
    signal?.addEventListener('abort', unwanted);
    child.once('spawn', unwanted);
    // Stays: an error that comes later, such as a kill that failed, must not be uncaught.
    child.on('error', settle);
  });
}

function isAborted(signal: AbortSignal | undefined): signal is AbortSignal {
  return signal?.aborted === true;
}

function aborted({ command }: StdioOptions, signal: AbortSignal): TransportError {
  return notSentError('DIAL_ABORTED', `the start of "${command}" was aborted`, signal.reason);
}

function cannotStart({ command, cwd }: StdioOptions, cause: unknown): TransportError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const place = cwd === undefined ? '' : ` in "${cwd}"`;
  return new TransportError('DIAL_FAILED', `cannot start "${command}"${place}: ${code ?? message}`, {
    cause,
    details: { command, code },
  });
}

/** Rejects Windows batch files: they run in `cmd.exe`, which reads arguments as commands. Throws DIAL_FAILED. */
export function rejectBatchFile(command: string, platform: NodeJS.Platform = process.platform): void {
  // Windows drops dots and spaces at the end of a file name.
  if (platform !== 'win32' || !/\.(cmd|bat)[. ]*$/i.test(command)) return;
  throw notSentError(
    'DIAL_FAILED',
    `"${command}" is a batch file, which cannot be started safely: start the program behind it instead`,
  );
}

const posix = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG'];
const windows = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

/**
 * The environment of a child: the variables that programs need to run at all, and what the caller adds. Secrets of this
 * process stay here. Values that are exported shell functions are left out.
 */
export function childEnvironment(
  added: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of platform === 'win32' ? windows : posix) {
    const value = own[name];
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, ...added };
}

// No shell reads the command, so a whole command line names no program.
function checkCommand(options: unknown): void {
  const command: unknown =
    typeof options === 'string' ? options : (options as Partial<StdioOptions> | undefined)?.command;
  if (typeof command !== 'string' || command === '')
    throw new TypeError(
      `stdio needs the program to start, as in stdio({ command: 'node', args: ['server.js'] })`,
    );
  const [program = '', ...rest] = command.trim().split(/\s+/);
  const isLine =
    rest.length > 0 && !/[\\/]/.test(program) && (options as Partial<StdioOptions>).args === undefined;
  if (typeof options === 'string' || isLine)
    throw new TypeError(
      `stdio: "${command}" is a command line. Pass { command: '${program}', args: [${argsOf(rest.join(' '))}] }`,
    );
}

// Strings are iterable: each character would be one argument.
function checkArgs(args: unknown): void {
  if (args === undefined || (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) return;
  const found = typeof args === 'string' ? `"${args}". Pass args: [${argsOf(args)}]` : typeof args;
  throw new TypeError(`stdio: "args" must be an array of strings, got ${found}`);
}

function argsOf(line: string): string {
  return line
    .split(/\s+/)
    .filter((arg) => arg !== '')
    .map((arg) => `'${arg}'`)
    .join(', ');
}

function checkStderr(stderr: unknown): void {
  if (stderr === undefined || stderr === 'inherit' || stderr === 'ignore' || typeof stderr === 'function')
    return;
  const found = typeof stderr === 'string' ? `"${stderr}"` : typeof stderr;
  throw new TypeError(
    `stdio: "stderr" must be 'inherit' (the default), 'ignore' or a function of a line, got ${found}`,
  );
}
