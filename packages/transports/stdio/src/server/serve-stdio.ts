import { clampTimeout, rejectUnknownOptions, UnreadOutput } from '@rxmcp/transport/internal';
import type { Readable, Writable } from 'node:stream';
import {
  type ConnectionHandler,
  createConnection,
  pipeTraits,
  processMemory,
  type ServeHandle,
  ConnectionSet,
} from '@rxmcp/transport';
import { unexpectedOutputFault } from '../pipe/output-filter.js';
import { PipeChannel } from '../pipe/pipe-channel.js';
import { standardInput, streamInput } from '../pipe/standard-input.js';
import { guardStdout } from './stdout-guard.js';

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  /** The stream from which messages are read. @default process.stdin */
  readonly input?: Readable;
  /** The stream to which messages are written. A custom stream is ended with the connection. @default process.stdout */
  readonly output?: Writable;
  /**
   * Whether the process ends with the client: at the end of input, on SIGTERM and SIGINT, and when the parent process has exited.
   * @default true, false with custom streams
   */
  readonly exitOnDisconnect?: boolean;
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long running handlers may take after the end of input or a signal, in milliseconds. @default 25000 */
  readonly drainTimeoutMs?: number;
  /** How long to wait for the client to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

const knownOptions: Record<keyof ServeStdioOptions, true> = {
  input: true,
  output: true,
  exitOnDisconnect: true,
  maxMessageBytes: true,
  drainTimeoutMs: true,
  writeTimeoutMs: true,
};

/** Ends what {@link serveStdio} serves. Neither `drain` nor `close` ends the process. */
export interface StdioServeHandle extends ServeHandle {
  /** Resolves when the connection has closed and standard output is restored. */
  readonly closed: Promise<void>;
}

/** How long running handlers may take after a signal during a drain, in milliseconds. */
const urgentMs = 1_000;
const orphanedMs = 200;
/** The name under which the memory of the one client is charged. */
const holder = 'stdio';

/**
 * Serves one client on standard input and output. Standard output carries messages only: `console` goes to stderr, and
 * what else is written to `process.stdout` goes there too, with a UNEXPECTED_OUTPUT fault.
 * MCP basic, transports, stdio.
 * @throws TypeError when standard output is served already
 */
export function serveStdio(handler: ConnectionHandler, options: ServeStdioOptions = {}): StdioServeHandle {
  rejectUnknownOptions('serveStdio', options, knownOptions, {
    stdin: 'input',
    stdout: 'output',
    stallMs: 'writeTimeoutMs',
    exit: 'exitOnDisconnect',
  });
  const connections = new ConnectionSet(handler);
  const { memory = processMemory() } = handler;
  const ownStreams = options.input !== undefined || options.output !== undefined;
  const {
    maxMessageBytes = pipeTraits.maxMessageBytes,
    drainTimeoutMs = 25_000,
    writeTimeoutMs = 30_000,
  } = options;
  let exits = options.exitOnDisconnect ?? !ownStreams;
  let stray = 0;
  const guard =
    options.output === undefined
      ? guardStdout((text) => channel.report(unexpectedOutputFault(text, (stray += 1))))
      : undefined;
  const output = options.output ?? process.stdout;
  const write = guard?.write ?? ((text: string, written?: () => void) => output.write(text, written));
  const channel = new PipeChannel({
    input: options.input === undefined ? standardInput() : streamInput(options.input),
    output,
    write,
    endsOutput: guard === undefined,
    maxMessageBytes,
    writeTimeoutMs,
    unread: new UnreadOutput(memory, holder),
    inputEnded: () => stop(drainTimeoutMs),
  });
  let ending = false;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let deadlineAt = Infinity;

  const stop = (withinMs: number): void => {
    const at = performance.now() + withinMs;
    if (at < deadlineAt) {
      deadlineAt = at;
      clearTimeout(deadline);
      deadline = setTimeout(() => void connections.close(), clampTimeout(withinMs));
    }
    if (ending) return;
    ending = true;
    void connections.drain({ timeoutMs: withinMs });
  };
  const onSignal = (): void => stop(ending ? urgentMs : drainTimeoutMs);
  const unwatch = exits ? watchParent(() => stop(orphanedMs)) : undefined;
  if (exits) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);

  const connection = createConnection(channel, { ...pipeTraits, maxMessageBytes, redialable: false, holder });
  const closed = channel.closed.then(async (failed) => {
    // The receiver gets the end first.
    await connection.close();
    clearTimeout(deadline);
    unwatch?.();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, onSignal);
    guard?.restore();
    // A turn later, so that code that awaits `closed` runs.
    if (exits) setImmediate(() => process.exit(failed ? 1 : 0));
  });

  connections.accept(connection);
  return {
    closed,
    async drain(drainOptions) {
      exits = false;
      await connections.drain(drainOptions);
      await closed;
    },
    async close() {
      exits = false;
      await connections.close();
      await closed;
    },
  };
}

const everyMs = 500;

/**
 * Calls back once when the parent process has died, within half a second: the child then has another parent. The end of
 * input alone does not tell it where a sibling holds the same pipe open. Returns the way to stop watching.
 */
export function watchParent(orphaned: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    orphaned();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
