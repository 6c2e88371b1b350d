import type { ChildProcess } from 'node:child_process';
import { LineReader, type WireError } from '@rxmcp/jsonrpc';
import { type Channel, notSentError, pipeTraits, type Sink, TransportError } from '@rxmcp/transport';
import {
  clientMessages,
  connectionHolder,
  isResponseText,
  printable,
  SendQueue,
  wireErrorToFault,
  settleWithin,
} from '@rxmcp/transport/internal';
import { IncomingLines } from '../pipe/incoming-lines.js';
import { OutputFilter } from '../pipe/output-filter.js';
import { waitUntilDrained, type ProcessExit, ProcessTree } from './process-tree.js';

/** How patient a close is, in milliseconds. Half a second for SIGKILL comes on top. */
export interface CloseTimeouts {
  /** From the end of the child's input to SIGTERM. @default 2000 */
  readonly stdinTimeoutMs?: number;
  /** From SIGTERM to SIGKILL. @default 2000 */
  readonly sigtermTimeoutMs?: number;
}

/** Where the stderr of a child goes. */
export type ChildStderr = 'inherit' | 'ignore' | ((line: string) => void);

/** What a {@link ChildChannel} needs to know. */
export interface ChildChannelOptions {
  readonly command: string;
  readonly stderr?: ChildStderr;
  readonly maxMessageBytes?: number;
  readonly writeTimeoutMs?: number;
  readonly closeTimeouts?: CloseTimeouts;
}

/** How much of responses may wait for a child that does not read before it is not read either. */
const maxResponseChars = 4 * 1024 * 1024;
/** How long a child that closed a stream may take to exit, so that the error can say how it ended. */
const exitWithinMs = 200;
const maxStderrBytes = 64 * 1024;
/** How much may wait for a slow reader of this process's stderr; further lines are not printed. */
const maxUnprintedBytes = 1024 * 1024;

/** Lines to and from a child process, which ends with it. */
export class ChildChannel implements Channel {
  readonly #tree: ProcessTree;
  readonly #ring = new StderrRing();
  readonly #writer: SendQueue;
  #lines: IncomingLines | undefined;
  #sink: Sink | undefined;
  #over = false;
  /** Why this side gave the child up. */
  #cause: TransportError | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly options: ChildChannelOptions,
  ) {
    this.#tree = new ProcessTree(child);
    this.#writer = new SendQueue({
      write: (text) => child.stdin?.write(text) ?? true,
      failed: (error) => void this.#abandon(error),
      pressure: (over) => this.#throttle(over),
      // A child that waits to be read before it reads on must be read, whatever we ourselves want of it.
      counts: isResponseText,
      maxChars: maxResponseChars,
      writeTimeoutMs: options.writeTimeoutMs ?? 30_000,
    });
    child.stdin?.on('drain', () => this.#writer.onDrain());
    child.stdin?.on('error', (cause) => void this.#broken('its input', cause));
    child.stderr?.on('data', (chunk: Uint8Array) => this.#ring.push(chunk));
    const { stderr = 'inherit' } = options;
    if (stderr === 'inherit') child.stderr?.on('data', print);
    else if (typeof stderr === 'function') this.#splitStderr(stderr);
  }

  start(sink: Sink): void {
    this.#sink = sink;
    if (this.#cause !== undefined) return sink.closed(this.#cause);
    const filter = new OutputFilter(sink, (error) => void this.#abandon(error));
    const { stdout } = this.child;
    if (stdout === null) return;
    const lines = new IncomingLines({
      unfinished: clientMessages(),
      holder: connectionHolder(),
      input: stdout,
      maxLineBytes: this.options.maxMessageBytes ?? pipeTraits.maxMessageBytes,
      onLine: (text) => filter.line(text),
      onFault: (error) => {
        this.#unreadable(error);
        filter.unreadable();
      },
      exceeded: (error) => void this.#abandon(error),
    });
    this.#lines = lines;
    stdout.on('data', (chunk: Uint8Array) => lines.push(chunk));
    stdout.on('end', () => lines.end(() => void this.#broken('its output')));
    stdout.on('error', (cause) => void this.#broken('its output', cause));
    void this.#tree.exited.then((exit) => this.#ended(exit));
  }

  send(text: string): Promise<void> | void {
    if (this.#tree.exit !== undefined || this.child.stdin?.writable !== true) {
      const message = `"${this.options.command}" has exited or closed its input`;
      throw notSentError('CONNECTION_LOST', message);
    }
    return this.#writer.send(text + '\n');
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#lines?.stop();
    // Keep reading without delivering: a child that cannot write its last output would not exit.
    this.child.stdout?.resume();
    const { stdinTimeoutMs = 2_000, sigtermTimeoutMs = 2_000 } = this.options.closeTimeouts ?? {};
    void this.#writer.flushed().then(() => this.child.stdin?.end());
    await this.#tree.end(stdinTimeoutMs, sigtermTimeoutMs);
    this.#release();
  }

  /** Ends the child at once. */
  async kill(): Promise<void> {
    this.#over = true;
    this.#lines?.stop();
    await this.#tree.kill();
    this.#release();
  }

  /** A child that asks and does not read the responses is asked to wait. */
  #throttle(over: boolean): void {
    if (this.#over || this.#tree.exit !== undefined) return;
    if (over) this.#lines?.pause();
    else this.#lines?.resume();
  }

  #unreadable(error: WireError): void {
    const fault = wireErrorToFault(error);
    if (error.code === 'OVERFLOW') void this.#abandon(fault);
    else this.#sink?.fault(fault);
  }

  /** The child exited on its own: its output is still read, and processes that it left running are ended. */
  async #ended(exit: ProcessExit): Promise<void> {
    if (this.#over) return;
    // It no longer reads, so that nothing is gained by not reading it.
    this.#lines?.resume();
    // What they write when they are asked to end comes first.
    await this.#tree.end(0, this.options.closeTimeouts?.sigtermTimeoutMs ?? 2_000);
    await Promise.all([waitUntilDrained(this.child.stdout), waitUntilDrained(this.child.stderr)]);
    if (this.#over) return;
    this.#lines?.end(() => {
      this.#over = true;
      this.#writer.stop();
      this.#sink?.closed(childExitError(this.#facts(exit)));
      this.#release();
    });
  }

  /** The child closed a stream; if it is about to exit, that says more. */
  async #broken(what: string, cause?: unknown): Promise<void> {
    if (this.#over) return;
    await settleWithin(this.#tree.exited, exitWithinMs);
    if (this.#over || this.#tree.exit !== undefined) return;
    const message = `"${this.options.command}" closed ${what}`;
    await this.#abandon(new TransportError('CONNECTION_LOST', message, { cause }));
  }

  /** This side gives the child up. */
  async #abandon(error: TransportError): Promise<void> {
    if (this.#over) return;
    await this.kill();
    const { exitCode, signal, stderr } = this.#facts(this.#tree.exit);
    const details = { ...error.details, exitCode, signal, stderr };
    this.#cause = new TransportError(error.code, error.message, { cause: error.cause, details });
    this.#sink?.closed(this.#cause);
  }

  #facts(exit: ProcessExit | undefined): ChildExitDetails {
    const { exitCode = null, signal = null } = exit ?? {};
    return { command: this.options.command, exitCode, signal, stderr: this.#ring.text() };
  }

  #splitStderr(onLine: (line: string) => void): void {
    const lines = new LineReader({ maxLineBytes: 64 * 1024, onLine: onLine, onFault: () => undefined });
    this.child.stderr?.on('data', (chunk: Uint8Array) => {
      try {
        lines.push(chunk);
      } catch {
        // The caller's own callback threw; its child is not to suffer from that.
      }
    });
  }

  #release(): void {
    this.#writer.stop();
    this.child.stdin?.destroy();
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }
}

/** Details of a child that exited on its own. */
interface ChildExitDetails {
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  readonly stderr: string;
}

/** The error of a child that exited on its own: `PEER_CLOSED` with exit code 0, otherwise `CONNECTION_LOST`. */
function childExitError({ command, ...details }: ChildExitDetails): TransportError {
  const { exitCode, signal, stderr } = details;
  const how = signal === null ? `exited with code ${String(exitCode)}` : `was ended by ${signal}`;
  const reason = errorLine(stderr);
  const why = reason === '' ? '' : `: ${printable(reason)}`;
  const code = exitCode === 0 ? 'PEER_CLOSED' : 'CONNECTION_LOST';
  return new TransportError(code, `"${command}" ${how}${why}`, { details });
}

/** Returns the last line that names an error, which a stack and the version of the runtime may follow; without one, the last line. */
function errorLine(stderr: string): string {
  const lines = stderr.trimEnd().split('\n');
  // An indented line is a part of a stack, or the cause of an error.
  const found = lines.findLast((line) => /^(?!\s).*(Error|Exception)( \[\w+\])?: /.test(line));
  return (found ?? lines.at(-1) ?? '').trim();
}

/** Prints what a child wrote to stderr to that of this process. */
function print(chunk: Uint8Array): void {
  const { stderr } = process;
  if (stderr.writableLength > maxUnprintedBytes) return;
  stderr.write(chunk, (error) => {
    // As `console` does: a reader of stderr that closed it must not end this process.
    if (error != null && stderr.listenerCount('error') === 0) stderr.once('error', () => undefined);
  });
}

/** Keeps the last bytes of a stream, whatever flows through it. */
class StderrRing {
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  push(chunk: Uint8Array): void {
    // A copy: a slice would keep the whole block of memory that it was read into.
    const kept = Uint8Array.from(chunk.subarray(Math.max(0, chunk.length - maxStderrBytes)));
    this.#chunks.push(kept);
    this.#bytes += kept.length;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= maxStderrBytes) {
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    }
    if (this.#chunks.length > 1_024) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /** The kept bytes as text; bytes that are not UTF-8 are replaced. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - maxStderrBytes)).toString('utf8');
  }
}
