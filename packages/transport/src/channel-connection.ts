import { decode, INVALID_REQUEST, type WireError } from '@rxmcp/jsonrpc';
import type { Channel, ChannelSource, Sink } from './channel-contract.js';
import {
  acceptedImmediately,
  type ReceiveInfo,
  type Connection,
  type SendOptions,
  type OutgoingMessage,
  type Receiver,
} from './contract.js';
import { notSentError, TransportError, wireErrorToFault } from './error.js';
import { handOver, reportClosed, reportThrown } from './receiving.js';
import { estimateRequestBytes } from './memory/estimate.js';
import { exceedsBytes } from './message-size.js';
import type { Traits } from './traits.js';

/** How long `close` waits for a channel before the connection closes without it. */
const closeWithinMs = 5_000;

/** Writes one message to the channel, in the form that it sends. */
export type WriteMessage<Form> = (
  channel: Channel<Form>,
  out: OutgoingMessage,
  options: SendOptions | undefined,
) => Promise<void> | void;
type Held = (receiver: Receiver) => void;

/** Adds the guarantees of a {@link Connection} to a channel. */
export class ChannelConnection<Form> implements Connection {
  private readonly channel: Channel<Form>;
  private readonly sink: Sink;
  private receiver: Receiver | undefined;
  private state: 'open' | 'closing' | 'closed' = 'open';
  private cause: TransportError | undefined;
  /** The end that the channel has reported and the receiver has not received yet. */
  private reportedEnd: { readonly cause: TransportError | undefined } | undefined;
  private closing: Promise<void> | undefined;
  private closedByChannel: (() => void) | undefined;
  /** Above zero while this class calls the channel: messages that arrive during the call wait for a microtask. */
  private inside = 0;
  private held: Held[] | undefined;
  private readonly waiting = new Set<(error: TransportError) => void>();

  constructor(
    source: ChannelSource<Form>,
    private readonly write: WriteMessage<Form>,
    readonly traits: Traits,
  ) {
    this.sink = {
      text: (text, info) => this.text(text, info),
      value: (value, info, heldBytes) => this.value(value, info, heldBytes),
      fault: (error) => this.deliver((receiver) => receiver.fault(error)),
      closed: (error) => this.end(error),
    };
    this.channel = whole(typeof source === 'function' ? source(this.sink) : source);
  }

  start(receiver: Receiver): void {
    if (this.receiver !== undefined) throw new TypeError('`start` may be called once');
    this.receiver = receiver;
    if (this.state !== 'open') {
      if (this.state === 'closed') queueMicrotask(() => reportClosed(this.receiver, this.cause));
      return;
    }
    this.inside += 1;
    try {
      this.channel.start(this.sink);
    } catch (cause) {
      this.end(TransportError.from(cause, 'CONNECTION_LOST'));
    } finally {
      this.inside -= 1;
    }
  }

  send(out: OutgoingMessage, options?: SendOptions): Promise<void> {
    if (this.state !== 'open')
      return Promise.reject(notSentError('CLOSED', 'the connection is closed', this.cause));
    if (options?.signal?.aborted === true) {
      return Promise.reject(notSentError('SEND_FAILED', 'sending was aborted', options.signal.reason));
    }
    this.inside += 1;
    try {
      const taken = this.write(this.channel, out, options);
      return taken === acceptedImmediately || !isPromise(taken) ? acceptedImmediately : this.waitFor(taken);
    } catch (cause) {
      return Promise.reject(TransportError.from(cause, 'SEND_FAILED'));
    } finally {
      this.inside -= 1;
    }
  }

  endLane(): void {
    // One lane for everything: it ends with the connection.
  }

  close(): Promise<void> {
    this.closing ??= this.state === 'closed' ? Promise.resolve() : this.release();
    return this.closing;
  }

  private async release(): Promise<void> {
    this.state = 'closing';
    await (this.reportedEnd ?? this.closeChannel());
    this.finish(this.reportedEnd?.cause);
  }

  private async closeChannel(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bound = new Promise<void>((resolve) => {
      this.closedByChannel = resolve;
      timer = setTimeout(resolve, closeWithinMs);
    });
    try {
      await Promise.race([this.channel.close(), bound]);
    } catch {
      // The connection is closed even if the channel fails to close.
    }
    clearTimeout(timer);
  }

  private text(text: string, info: ReceiveInfo | undefined): void {
    if (this.state !== 'open') return;
    const { maxMessageBytes } = this.traits;
    if (exceedsBytes(text, maxMessageBytes)) {
      const message = `a message is larger than ${String(maxMessageBytes)} bytes`;
      const reply = { error: { code: INVALID_REQUEST, message } };
      this.deliver((receiver) => receiver.fault(new TransportError('TOO_LARGE', message, { reply })));
      return;
    }
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      this.deliver((receiver) => receiver.fault(wireErrorToFault(error as WireError)));
      return;
    }
    this.value(value, info, estimateRequestBytes(text));
  }

  private value(value: unknown, info: ReceiveInfo | undefined, heldBytes: number | undefined): void {
    if (this.state !== 'open') return;
    if (this.inside > 0 || this.held !== undefined || this.receiver === undefined) {
      this.deliver((receiver) => receiver.received(value, info, heldBytes));
      return;
    }
    try {
      this.receiver.received(value, info, heldBytes);
    } catch (cause) {
      reportThrown(this.receiver, cause);
    }
  }

  /** Delivers now, or in a microtask where the channel calls the sink inside one of our calls. */
  private deliver(event: Held): void {
    if (this.state !== 'open') return;
    if (this.receiver !== undefined && this.inside === 0 && this.held === undefined) {
      this.guarded(event);
    } else if (this.held === undefined) {
      this.held = [event];
      queueMicrotask(() => this.flushHeld());
    } else {
      this.held.push(event);
    }
  }

  private flushHeld(): void {
    const held = this.held ?? [];
    for (const event of held) this.guarded(event);
    this.held = undefined;
  }

  private guarded(event: Held): void {
    if (this.state === 'open' && this.receiver !== undefined) handOver(this.receiver, event);
  }

  private end(error: TransportError | undefined): void {
    if (this.state === 'closing') this.closedByChannel?.();
    if (this.state !== 'open' || this.reportedEnd !== undefined) return;
    // Before `start` nothing is delivered, so there is no delivery to wait for, and held events are dropped anyway.
    const busy = this.inside > 0 || this.held !== undefined;
    if (!busy || this.receiver === undefined) return this.finish(error);
    this.reportedEnd = { cause: error };
    this.deliver(() => this.finish(error));
  }

  private finish(cause: TransportError | undefined): void {
    this.state = 'closed';
    this.cause = cause;
    for (const fail of this.waiting) fail(this.endedMeanwhile());
    this.waiting.clear();
    reportClosed(this.receiver, this.cause);
  }

  private endedMeanwhile(): TransportError {
    return this.cause ?? new TransportError('CLOSED', 'the connection closed meanwhile');
  }

  /** A waiting send settles with its channel or with the end of the connection, whichever is first. */
  private waitFor(taken: Promise<void>): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (this.state === 'closed') reject(this.endedMeanwhile());
      this.waiting.add(reject);
      const settled = (): void => {
        this.waiting.delete(reject);
      };
      taken.then(
        () => (settled(), resolve()),
        (cause: unknown) => (settled(), reject(TransportError.from(cause, 'SEND_FAILED'))),
      );
    });
  }
}

/** Throws a TypeError that names the missing methods, for authors who write plain JavaScript. */
function whole<Form>(channel: Channel<Form>): Channel<Form> {
  const given = channel as Partial<Channel<Form>> | undefined;
  const missing = (['start', 'send', 'close'] as const).filter((part) => typeof given?.[part] !== 'function');
  if (missing.length === 0) return channel;
  const names = missing.map((part) => `"${part}"`).join(', ');
  throw new TypeError(`a channel needs "start", "send" and "close"; this one lacks ${names}`);
}

/** Sockets and ports return whatever their own `send` returns, such as a boolean. */
function isPromise(taken: Promise<void> | void): taken is Promise<void> {
  return typeof (taken as Promise<void> | undefined)?.then === 'function';
}
