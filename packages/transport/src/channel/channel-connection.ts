import { WireError } from '@rxmcp/jsonrpc';
import type { Channel, ChannelSource, ConnectionOptions, Sink } from './channel-contract.js';
import { checkChannel, isPromise } from './check-channel.js';
import {
  acceptedImmediately,
  type ReceiveInfo,
  type Connection,
  type Lane,
  type SendOptions,
  type OutgoingMessage,
  type Receiver,
} from '../contract/contract.js';
import { decodeMessage, decodeUtf8 } from './decode-message.js';
import { notSentError, TransportError, wireErrorToFault } from '../contract/error.js';
import { handOver, reportClosed, reportThrown } from '../connection/receiving.js';
import { FirstMessageTimer } from './first-message-timer.js';
import { LaneTable } from './lane-table.js';
import { EarlyMessages } from '../memory/early-messages.js';
import { estimateRequestBytes } from '../memory/estimate.js';
import type { Traits } from '../contract/traits.js';
import { WaitingSends } from './waiting-sends.js';

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
  readonly #channel: Channel<Form>;
  readonly #sink: Sink;
  #receiver: Receiver | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #cause: TransportError | undefined;
  /** The end that the channel has reported and the receiver has not received yet. */
  #reportedEnd: { readonly cause: TransportError | undefined } | undefined;
  #closing: Promise<void> | undefined;
  #closedByChannel: (() => void) | undefined;
  /** Above zero while this class calls the channel: messages that arrive during the call wait for a microtask. */
  #inside = 0;
  #held: Held[] | undefined;
  /** Counts what is held before `start`. */
  #early: EarlyMessages | undefined;
  readonly #lanes: LaneTable | undefined;
  readonly #waiting: WaitingSends;
  readonly #silence = new FirstMessageTimer();

  constructor(
    source: ChannelSource<Form>,
    private readonly write: WriteMessage<Form>,
    readonly traits: Traits,
    private readonly options: ConnectionOptions = {},
  ) {
    this.#sink = {
      text: (text, info) => this.#text(text, info),
      bytes: (utf8, info) => this.#bytes(utf8, info),
      value: (value, info, heldBytes) => this.#value(value, info, heldBytes),
      laneClosed: (lane, error) => this.#deliver((receiver) => this.#laneClosed(receiver, lane, error)),
      fault: (error) => this.#fault(error),
      closed: (error) => this.#end(error ?? undefined),
    };
    if (traits.lanes === 'per-request') this.#lanes = new LaneTable();
    // A lane has one request, so nothing more is read in it.
    const pauses = options.isServer === true && this.#lanes === undefined;
    this.#waiting = new WaitingSends((isWaiting) => {
      if (pauses && this.#state === 'open') this.#channel[isWaiting ? 'pause' : 'resume']?.();
    });
    this.#channel = checkChannel(typeof source === 'function' ? source(this.#sink) : source);
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('`start` may be called once');
    this.#receiver = receiver;
    if (this.#state !== 'open') {
      if (this.#state === 'closed') queueMicrotask(() => reportClosed(this.#receiver, this.#cause));
      return;
    }
    if (this.#held !== undefined) queueMicrotask(() => this.#flushHeld());
    if (this.#reportedEnd !== undefined) return;
    this.#inside += 1;
    try {
      this.#channel.start(this.#sink);
    } catch (cause) {
      this.#end(TransportError.from(cause, 'CONNECTION_LOST'));
    } finally {
      this.#inside -= 1;
    }
    const { firstMessageTimeoutMs = Number.POSITIVE_INFINITY } = this.options;
    if (this.#state === 'open') this.#silence.start(firstMessageTimeoutMs, (error) => this.#abandon(error));
  }

  send(out: OutgoingMessage, options?: SendOptions): Promise<void> {
    if (this.#state !== 'open' || this.#reportedEnd !== undefined)
      return Promise.reject(notSentError('CLOSED', 'the connection is closed', this.#cause));
    if (options?.signal?.aborted === true) {
      return Promise.reject(notSentError('SEND_FAILED', 'sending was aborted', options.signal.reason));
    }
    const lane = this.#lanes === undefined ? undefined : options?.lane;
    return lane === undefined ? this.#pass(out, options) : this.#sendInLane(out, lane, options);
  }

  endLane(lane: Lane): void {
    if (this.#state === 'open' && this.#lanes?.end(lane) === true) this.#releaseLane(lane, false);
  }

  close(): Promise<void> {
    this.#closing ??= this.#state === 'closed' ? Promise.resolve() : this.#release();
    return this.#closing;
  }

  async #release(): Promise<void> {
    this.#state = 'closing';
    await (this.#reportedEnd ?? this.#closeChannel());
    this.#finish(this.#reportedEnd?.cause);
  }

  async #closeChannel(error?: TransportError): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bound = new Promise<void>((resolve) => {
      this.#closedByChannel = resolve;
      timer = setTimeout(resolve, closeWithinMs);
    });
    try {
      await Promise.race([this.#channel.close(error), bound]);
    } catch {
      // The connection is closed even if the channel fails to close.
    }
    clearTimeout(timer);
  }

  #pass(
    out: OutgoingMessage,
    options: SendOptions | undefined,
    lane?: Lane,
    failed?: () => void,
  ): Promise<void> {
    this.#inside += 1;
    try {
      const taken = this.write(this.#channel, out, options);
      if (taken === acceptedImmediately || !isPromise(taken)) return acceptedImmediately;
      if (failed !== undefined) taken.catch(failed);
      const accepted = this.#waiting.add(taken, lane);
      if (this.#reportedEnd !== undefined) this.#waiting.fail(this.#reportedEnd.cause);
      return accepted;
    } catch (cause) {
      failed?.();
      return Promise.reject(TransportError.from(cause, 'SEND_FAILED'));
    } finally {
      this.#inside -= 1;
    }
  }

  #sendInLane(out: OutgoingMessage, lane: Lane, options: SendOptions | undefined): Promise<void> {
    const lanes = this.#lanes as LaneTable;
    const state = lanes.beforeSend(lane, out);
    if (state === 'ended') {
      return Promise.reject(notSentError('SEND_FAILED', 'the lane of the message has ended'));
    }
    let isSent = true;
    const accepted = this.#pass(out, options, lane, () => {
      isSent = false;
      if (state === 'opened') lanes.end(lane);
    });
    if (isSent && lanes.sent(lane, out) === 'answered') this.#releaseLane(lane, true);
    return accepted;
  }

  #releaseLane(lane: Lane, isAnswered: boolean): void {
    // A response that waits for its reader is still sent.
    if (!isAnswered) this.#waiting.failLane(lane, undefined);
    try {
      this.#channel.endLane?.(lane, isAnswered);
    } catch {
      // The lane has ended even if the channel fails to release it.
    }
  }

  #laneClosed(receiver: Receiver, lane: Lane, error: TransportError | undefined): void {
    this.#waiting.failLane(lane, error);
    if (this.#lanes?.end(lane) === true) receiver.laneClosed(lane, error ?? undefined);
  }

  #abandon(error: TransportError): void {
    void this.#closeChannel(error);
    this.#end(error);
  }

  #text(text: string, info: ReceiveInfo | undefined): void {
    if (this.#state !== 'open') return;
    let value: unknown;
    try {
      value = decodeMessage(text, this.traits.maxMessageBytes);
    } catch (error) {
      return this.#fault(error as WireError);
    }
    this.#value(value, info, estimateRequestBytes(text));
  }

  #bytes(utf8: Uint8Array, info: ReceiveInfo | undefined): void {
    let text: string;
    try {
      text = decodeUtf8(utf8, this.traits.maxMessageBytes);
    } catch (error) {
      return this.#fault(error as WireError);
    }
    this.#text(text, info);
  }

  #fault(error: TransportError | WireError): void {
    const fault = WireError.is(error) ? wireErrorToFault(error) : error;
    this.#deliver((receiver) => receiver.fault(fault));
  }

  #value(value: unknown, info: ReceiveInfo | undefined, heldBytes: number | undefined): void {
    if (this.#state !== 'open') return;
    if (this.#inside > 0 || this.#held !== undefined || this.#receiver === undefined) {
      this.#deliver((receiver) => this.#received(receiver, value, info, heldBytes), heldBytes);
      return;
    }
    try {
      this.#received(this.#receiver, value, info, heldBytes);
    } catch (cause) {
      reportThrown(this.#receiver, cause);
    }
  }

  #received(
    receiver: Receiver,
    value: unknown,
    info: ReceiveInfo | undefined,
    heldBytes: number | undefined,
  ): void {
    this.#silence.stop();
    const lane = this.#lanes === undefined ? undefined : info?.lane;
    if (lane !== undefined) {
      const state = this.#lanes?.received(lane, value);
      if (state === 'ended') return;
      if (state === 'answered') this.#releaseLane(lane, true);
    }
    receiver.received(value, info, heldBytes);
  }

  /** Delivers now, or in a microtask where the channel calls the sink inside one of our calls, or after `start`. */
  #deliver(event: Held, heldBytes = 0): void {
    if (this.#state !== 'open' || this.#reportedEnd !== undefined) return;
    if (this.#receiver === undefined) this.#keep(event, heldBytes);
    else if (this.#inside === 0 && this.#held === undefined) this.#guarded(event);
    else if (this.#held === undefined) {
      this.#held = [event];
      queueMicrotask(() => this.#flushHeld());
    } else this.#held.push(event);
  }

  #keep(event: Held, heldBytes: number): void {
    (this.#held ??= []).push(event);
    const early = (this.#early ??= new EarlyMessages(this.traits));
    if (early.add(heldBytes)) return;
    this.#held = undefined;
    this.#abandon(early.error());
  }

  #flushHeld(): void {
    const held = this.#held ?? [];
    // The receiver charges what it keeps.
    this.#early?.release();
    for (const event of held) this.#guarded(event);
    this.#held = undefined;
  }

  #guarded(event: Held): void {
    if (this.#state === 'open' && this.#receiver !== undefined) handOver(this.#receiver, event);
  }

  #end(error: TransportError | undefined): void {
    if (this.#state === 'closing') this.#closedByChannel?.();
    if (this.#state !== 'open' || this.#reportedEnd !== undefined) return;
    if (this.#inside === 0 && this.#held === undefined) return this.#finish(error);
    const finish = (): void => this.#finish(error);
    if (this.#held === undefined) {
      this.#held = [finish];
      if (this.#receiver !== undefined) queueMicrotask(() => this.#flushHeld());
    } else this.#held.push(finish);
    this.#reportedEnd = { cause: error };
    this.#waiting.fail(error);
  }

  #finish(cause: TransportError | undefined): void {
    this.#state = 'closed';
    this.#cause = cause;
    this.#held = undefined;
    this.#early?.release();
    this.#silence.stop();
    this.#waiting.fail(cause);
    reportClosed(this.#receiver, this.#cause);
  }
}
