import type { Readable, Writable } from 'node:stream';
import {
  type ConnectionHandler,
  createConnection,
  pipeTraits,
  type ServeHandle,
  ConnectionSet,
} from '@rxmcp/transport';
import { clampTimeout, rejectRenamedOptions } from '@rxmcp/transport/internal';
import { unexpectedOutputFault } from './output-filter.js';
import { PipeChannel } from './pipe-channel.js';
import { standardInput, streamInput } from './standard-input.js';
import { guardStdout } from './stdout-guard.js';

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  /** Where messages come from. @default process.stdin */
  readonly input?: Readable;
  /** Where messages go. A stream of your own is ended with the connection. @default process.stdout */
  readonly output?: Writable;
  /**
   * Ends the process when the client has gone: at the end of input, on SIGTERM and SIGINT, and when the parent process
   * died. @default true, false with streams of your own
   */
  readonly exitOnDisconnect?: boolean;
  /** Largest message in either direction, in bytes. @default 10485760 */
  readonly maxMessageBytes?: number;
  /** How long running work may take when the input has ended or the process is told to stop, in milliseconds. @default 25000 */
  readonly drainTimeoutMs?: number;
  /** How long a client that reads nothing is waited for, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
}

/** The way to end what {@link serveStdio} began. Neither `drain` nor `close` ends the process. */
export interface StdioServeHandle extends ServeHandle {
  /** Resolves when the connection is closed and standard output is given back. */
  readonly closed: Promise<void>;
}

/** Told to stop while it drains already: what is left must end within this. */
const urgentMs = 1_000;
const orphanedMs = 200;

/**
 * Serves one client on standard input and output. Standard output carries messages only: `console` goes to stderr, and
 * what else is written to `process.stdout` goes there too, with a UNEXPECTED_OUTPUT fault. Throws a TypeError when standard output is
 * served already. MCP basic, transports, stdio.
 */
export function serveStdio(acceptor: ConnectionHandler, options: ServeStdioOptions = {}): StdioServeHandle {
  rejectRenamedOptions('serveStdio', options, {
    stallMs: 'writeTimeoutMs',
    drainMs: 'drainTimeoutMs',
    exit: 'exitOnDisconnect',
  });
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
      ? guardStdout((text) => carrier.report(unexpectedOutputFault(text, (stray += 1))))
      : undefined;
  const output = options.output ?? process.stdout;
  const write = guard?.write ?? ((text: string) => output.write(text));
  const carrier = new PipeChannel({
    input: options.input === undefined ? standardInput() : streamInput(options.input),
    output,
    write,
    endsOutput: guard === undefined,
    maxMessageBytes,
    writeTimeoutMs,
    inputEnded: () => stop(drainTimeoutMs),
  });
  const serving = new ConnectionSet(acceptor);
  let ending = false;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let deadlineAt = Infinity;

  const stop = (withinMs: number): void => {
    const at = performance.now() + withinMs;
    if (at < deadlineAt) {
      deadlineAt = at;
      clearTimeout(deadline);
      deadline = setTimeout(() => void serving.close(), clampTimeout(withinMs));
    }
    if (ending) return;
    ending = true;
    void serving.drain({ timeoutMs: withinMs });
  };
  const onSignal = (): void => stop(ending ? urgentMs : drainTimeoutMs);
  const unwatch = exits ? watchParent(() => stop(orphanedMs)) : undefined;
  if (exits) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);

  const connection = createConnection(carrier, { ...pipeTraits, maxMessageBytes, redialable: false });
  const closed = carrier.closed.then(async (failed) => {
    // The receiver hears of the end first.
    await connection.close();
    clearTimeout(deadline);
    unwatch?.();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, onSignal);
    guard?.restore();
    // A turn later, so that whoever awaits `closed` is heard.
    if (exits) setImmediate(() => process.exit(failed ? 1 : 0));
  });

  serving.accept(connection);
  return {
    closed,
    async drain(drainOptions) {
      exits = false;
      await serving.drain(drainOptions);
      await closed;
    },
    async close() {
      exits = false;
      await serving.close();
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
