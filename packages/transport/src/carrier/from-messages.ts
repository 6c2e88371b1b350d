import { WireError } from '@rxmcp/jsonrpc';
import { withRequestId } from '@rxmcp/jsonrpc/internal';
import { createConnection } from '../channel/channel.js';
import type { Channel, Sink } from '../channel/channel-contract.js';
import { isPromise } from '../channel/check-channel.js';
import type { Connection } from '../contract/contract.js';
import { type ControlMessage, controlMessageOf } from './control-message.js';
import { notSentError, TransportError } from '../contract/error.js';
import { estimateMessageBytes, estimateRequestBytes } from '../memory/estimate.js';
import { connectionHolder, HeldBytes } from '../memory/held-bytes.js';
import { processMemory } from '../memory/memory-budget.js';
import { UnreadOutput } from '../memory/unread-output.js';
import type { FromMessagesOptions, MessageCarrier } from './message-carrier.js';
import { loopTurns } from '../base/loop-turns.js';
import { clampTimeout, settleWithin } from '../base/timers.js';
import { pipeTraits } from '../contract/traits.js';
import { UnreadMessages } from './unread-messages.js';

/** How much is read before the other side is notified: a quarter of what it may send, or fewer characters than an eighth. */
const reportEachPart = 4;
const reportEachChars = 128 * 1024;
/** How much is kept for a side that has not started, or that reads no further. */
const maxHeldChars = 64 * 1024 * 1024;
const maxSilentBeats = 3;

/**
 * Creates a connection from a carrier of whole messages that accepts everything and may report no end. In addition to what
 * {@link createConnection} guarantees, both sides post how many messages they have read, so that sends wait for a slow reader; a
 * close message before they close; and heartbeats. What arrives before `start` is kept, up to 64 MiB.
 *
 * @example
 * fromMessages({
 *   post: (text) => channel.postMessage(text),
 *   listen({ message, closed }) {
 *     channel.onmessage = ({ data }) => message(data);
 *     channel.onclose = () => closed();
 *     return () => channel.close();
 *   },
 * });
 */
export function fromMessages(carrier: MessageCarrier, options: FromMessagesOptions = {}): Connection {
  const traits = { ...pipeTraits, ...options.traits };
  return createConnection((sink) => new CarrierChannel(carrier, options, sink), traits, options);
}

/** A message, a fault or the end that is not delivered yet. */
interface Held {
  readonly deliver: () => void;
  readonly chars: number;
  /** The memory that is charged while it waits. */
  readonly bytes: number;
}

class CarrierChannel implements Channel {
  readonly #unread: UnreadMessages;
  readonly #stop: (() => Promise<void> | void) | undefined;
  readonly #beating: ReturnType<typeof setInterval> | undefined;
  readonly #reportEach: number;
  readonly #holder: string;
  #isReading = false;
  #isScheduled = false;
  #isOver = false;
  #held: Held[] = [];
  #head = 0;
  #heldChars = 0;
  readonly #waiting: HeldBytes;
  #readMessages = 0;
  #readChars = 0;
  #silentBeats = 0;
  #lastPost: Promise<void> | undefined;
  #byeArrived: (() => void) | undefined;

  constructor(
    private readonly carrier: MessageCarrier,
    private readonly options: FromMessagesOptions,
    private readonly sink: Sink,
  ) {
    const { maxUnreadMessages = 1_024, writeTimeoutMs = 30_000, heartbeatIntervalMs = 15_000 } = options;
    const { holder = connectionHolder() } = options.traits ?? {};
    this.#holder = holder;
    this.#waiting = new HeldBytes(processMemory(), holder);
    this.#reportEach = Math.max(1, Math.floor(maxUnreadMessages / reportEachPart));
    this.#unread = new UnreadMessages({
      maxMessages: maxUnreadMessages,
      output: new UnreadOutput(processMemory(), holder),
      writeTimeoutMs,
      failed: (error) => this.#end(error),
    });
    if (Number.isFinite(heartbeatIntervalMs) && options.protocolOnly !== true) {
      this.#beating = setInterval(() => this.#beat(heartbeatIntervalMs), clampTimeout(heartbeatIntervalMs));
      // The carrier decides whether the process stays, on both sides; heartbeats must not.
      (this.#beating as { unref?: () => void }).unref?.();
    }
    this.#stop = carrier.listen({
      message: (data) => this.#arrived(data),
      fault: (error) => this.#fault(error),
      closed: (cause) => this.#end(this.#lossOf(cause)),
    });
    if (this.#isOver) void this.#release();
  }

  start(): void {
    this.resume();
  }

  pause(): void {
    this.#isReading = this.#isOver;
  }

  resume(): void {
    this.#isReading = true;
    this.#schedule();
  }

  send(text: string): Promise<void> | void {
    if (this.#isOver) throw notSentError('CLOSED', 'the other side is closed');
    const posted = this.#post(text);
    // The other side may have ended the connection within the call.
    const isCounted = this.options.protocolOnly !== true && !this.#isOver;
    const room = isCounted ? this.#unread.add(text.length) : undefined;
    return posted === undefined || room === undefined ? (posted ?? room) : posted.then(() => room);
  }

  async close(error?: TransportError): Promise<void> {
    this.#drop();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sayGoodbye(error);
    const { closeTimeoutMs = 1_000, protocolOnly = false } = this.options;
    if (closeTimeoutMs > 0 && !protocolOnly) {
      const answered = new Promise<void>((resolve) => (this.#byeArrived = resolve));
      await settleWithin(answered, closeTimeoutMs);
    }
    await this.#release();
  }

  #arrived(data: unknown): void {
    this.#silentBeats = 0;
    const control = this.options.protocolOnly === true ? undefined : controlMessageOf(data);
    if (control?.rxmcp === 'bye') this.#end(undefined);
    else if (control?.rxmcp === 'lost')
      this.#end(
        new TransportError('CONNECTION_LOST', 'the other side has ended the connection with an error'),
      );
    if (this.#isOver) return;
    if (control === undefined) this.#message(data);
    else if (control.rxmcp === 'read') this.#unread.read(countOf(control.messages));
  }

  #message(data: unknown): void {
    if (typeof data === 'string')
      return this.#take(() => this.sink.text(data), data.length, estimateRequestBytes(data));
    try {
      if (this.carrier.measure === undefined) throw new WireError('INVALID_MESSAGE', 'expected a text');
      const chars = this.carrier.measure(data);
      const bytes = estimateMessageBytes(data);
      this.#take(() => this.sink.value(data, undefined, bytes), chars, bytes);
    } catch (error) {
      this.#fault(withRequestId(error as WireError, data));
    }
  }

  /** Reports a message that is lost, which may have been as long as any other. The function that waits must not keep it. */
  #fault(error: TransportError | WireError): void {
    this.#take(() => this.sink.fault(error), reportEachChars, 0);
  }

  /** Delivers now, or once this side reads and it is the turn of the holder. */
  #take(deliver: () => void, chars: number, bytes: number): void {
    if (this.#isOver) return;
    const arrived = { deliver, chars, bytes };
    const waits = !loopTurns.read(chars);
    if (!waits && this.#isReading && this.#held.length === 0) return this.#hand(arrived);
    this.#held.push(arrived);
    this.#heldChars += chars;
    if (this.#heldChars <= maxHeldChars && this.#waiting.grow(bytes)) return this.#schedule();
    this.#drop();
    this.#end(new TransportError('OVERFLOW', 'too many messages arrived before they could be delivered'));
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isReading || this.#held.length === 0) return;
    this.#isScheduled = true;
    loopTurns.run(this.#holder, this.#turn);
  }

  readonly #turn = (): void => {
    while (this.#isReading && this.#head < this.#held.length) {
      const next = this.#held[this.#head] as Held;
      this.#head += 1;
      this.#heldChars -= next.chars;
      this.#waiting.grow(-next.bytes);
      this.#hand(next);
      if (!loopTurns.hasTime()) break;
    }
    if (this.#head * 2 >= this.#held.length) {
      this.#held = this.#held.slice(this.#head);
      this.#head = 0;
    }
    this.#isScheduled = false;
    this.#schedule();
  };

  #drop(): void {
    this.#held = [];
    this.#head = this.#heldChars = 0;
    this.#waiting.resize(0);
  }

  #hand({ deliver, chars }: Held): void {
    deliver();
    this.#readMessages += 1;
    this.#readChars += chars;
    if (this.#readMessages < this.#reportEach && this.#readChars < reportEachChars) return;
    if (!this.#isOver) this.#control({ rxmcp: 'read', messages: this.#readMessages });
    this.#readMessages = 0;
    this.#readChars = 0;
  }

  #beat(intervalMs: number): void {
    this.#silentBeats += 1;
    // A blocked event loop runs one of these and then reads, however long it was blocked.
    if (this.#silentBeats <= maxSilentBeats) return this.#control({ rxmcp: 'alive' });
    const seconds = String(((maxSilentBeats + 1) * intervalMs) / 1_000);
    this.#end(new TransportError('CONNECTION_LOST', `the other side sent nothing within ${seconds} s`));
  }

  #lossOf(cause: unknown): TransportError | undefined {
    if (TransportError.is(cause)) return cause;
    if (this.options.protocolOnly === true && cause === undefined) return undefined;
    return new TransportError('CONNECTION_LOST', 'the other side ended without a close message', { cause });
  }

  #end(error: TransportError | undefined): void {
    this.#byeArrived?.();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sayGoodbye(error);
    void this.#release();
    // What came before the end is delivered before it.
    if (this.#held.length === 0) return this.sink.closed(error);
    this.#held.push({ deliver: () => this.sink.closed(error), chars: 0, bytes: 0 });
    this.resume();
  }

  /** A close message after a loss would be an orderly end on the other side, after which a client does not dial again. */
  #sayGoodbye(error: TransportError | undefined): void {
    this.#control({ rxmcp: error === undefined ? 'bye' : 'lost' });
  }

  async #release(): Promise<void> {
    clearInterval(this.#beating);
    this.#unread.stop();
    try {
      if (this.#lastPost !== undefined) await settleWithin(this.#lastPost, 1_000);
      await this.#stop?.();
    } catch {
      // The connection has ended even if the carrier fails to release its resources.
    }
  }

  #control(message: ControlMessage): void {
    if (this.options.protocolOnly === true) return;
    try {
      this.#post(JSON.stringify(message))?.catch(() => undefined);
    } catch {
      // The end was reported.
    }
  }

  #post(text: string): Promise<void> | undefined {
    try {
      const posted = this.carrier.post(text);
      if (!isPromise(posted)) return undefined;
      this.#lastPost = posted;
      posted.catch((cause: unknown) => this.#end(this.#lossOf(cause)));
      return posted;
    } catch (cause) {
      this.#end(this.#lossOf(cause));
      throw cause;
    }
  }
}

/** The count of a control message, which is not trusted. */
function countOf(messages: unknown): number {
  return Number.isSafeInteger(messages) && (messages as number) > 0 ? (messages as number) : 0;
}
