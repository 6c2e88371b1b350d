import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import type { Connection, SendOptions, Lane, OutgoingMessage } from '@rxmcp/transport';

/** What the writer reports to its owner. */
export interface WriterHooks {
  /** Called for each message that is sent; undefined without an observer. */
  readonly wire: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
  /** A message could not be sent. */
  unsent(error: TransportError, out: OutgoingMessage): void;
}

/** Sends messages on one connection. */
export class Writer {
  /** The revision that is sent with every message, if the transport carries headers. */
  version: string | undefined = undefined;

  constructor(
    private readonly connection: Connection,
    private readonly hooks: WriterHooks,
  ) {}

  /** Sends a message. Reports a failure to `failed`, or to the `unsent` hook of the owner. */
  send(
    out: OutgoingMessage,
    sendOptions?: SendOptions,
    failed?: (error: TransportError) => void,
  ): Promise<void> {
    const { wire } = this.hooks;
    if (wire !== undefined) wire('out', 'text' in out ? out.message : out);
    const { version } = this;
    const options =
      version === undefined || sendOptions?.version !== undefined ? sendOptions : { ...sendOptions, version };
    const taken = this.connection.send(out, options);
    return taken === acceptedImmediately ? taken : this.wait(taken, out, sendOptions?.lane, failed);
  }

  /** Waits until the transport has accepted a message. */
  protected wait(
    taken: Promise<void>,
    out: OutgoingMessage,
    _lane: Lane | undefined,
    failed: ((error: TransportError) => void) | undefined,
  ): Promise<void> {
    return taken.then(undefined, this.reporter(out, failed));
  }

  /** Returns what reports that a message could not be sent. A message with a `failed` of its own is not kept for it. */
  protected reporter(
    out: OutgoingMessage,
    failed: ((error: TransportError) => void) | undefined,
  ): (cause: unknown) => void {
    return failed === undefined ? this.#unsentReporter(out) : failureReporter(failed);
  }

  #unsentReporter(out: OutgoingMessage): (cause: unknown) => void {
    return (cause) => this.hooks.unsent(TransportError.from(cause, 'SEND_FAILED'), out);
  }
}

function failureReporter(failed: (error: TransportError) => void): (cause: unknown) => void {
  return (cause) => failed(TransportError.from(cause, 'SEND_FAILED'));
}

/** Creates a notification. */
export function notification(method: string, params?: Record<string, unknown>): JsonRpcMessage {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}
