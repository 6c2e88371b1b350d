import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import { type HttpExchange, unreadOutputOf } from '@rxmcp/transport/internal';
import type { StreamContext } from './stream-host.js';

const maxQueued = 1_024;
const maxQueuedBytes = 1024 * 1024;
/** A sender that ignores backpressure loses the stream at this many times the limits. */
const hardLimitFactor = 16;
const tooSlow =
  'the client reads a stream slower than messages are sent, and the server does not wait for it';

/** What a {@link ReaderBacklog} needs of its stream. */
export interface BacklogHost {
  readonly shared: Pick<StreamContext<never>, 'bounds' | 'memory'>;
  readonly connection: { fault(error: TransportError): void };
}

/** The messages that wait for the reader of a stream: makes senders wait, and cuts a reader that makes the server hold too much. */
export class ReaderBacklog {
  /** Whether the reader has been cut, and its end has not been reported. */
  isCut = false;
  #messages = 0;
  #full: Promise<void> | undefined = undefined;
  #release: (() => void) | undefined = undefined;

  constructor(private readonly host: BacklogHost) {}

  /** Counts one more message. Over the limit, returns a promise for when there is room again or the reader has disconnected. */
  add(exchange: HttpExchange): Promise<void> {
    this.#messages += 1;
    const { queuedBytes } = exchange;
    if (this.isCut) return this.#wait();
    if (this.#messages < maxQueued && queuedBytes < maxQueuedBytes) return acceptedImmediately;
    const { maxMessageBytes, writeTimeoutMs } = this.host.shared.bounds;
    if (
      this.#messages > maxQueued * hardLimitFactor ||
      queuedBytes > maxQueuedBytes * hardLimitFactor + maxMessageBytes
    ) {
      return this.#cut(exchange, new TransportError('OVERFLOW', tooSlow));
    }
    if (this.#full === undefined) exchange.stallsAfter(writeTimeoutMs);
    return this.#wait();
  }

  /** Charges for what waits, and for so many characters of a replay. Where it is rejected, cuts the reader and returns false. */
  charge(exchange: HttpExchange, replayChars: number): boolean {
    if (this.isCut) return false;
    const unread = unreadOutputOf(exchange, this.host.shared.memory);
    if (unread.hold(exchange.queuedBytes + replayChars)) return true;
    void this.#cut(exchange, unread.error());
    return false;
  }

  /** The reader has caught up, or has disconnected: senders continue. */
  relieve(exchange: HttpExchange | undefined): void {
    this.#messages = 0;
    this.isCut = false;
    exchange?.unread?.hold(exchange.queuedBytes);
    if (this.#full === undefined) return;
    exchange?.stallsAfter(0);
    this.#release?.();
    this.#full = undefined;
    this.#release = undefined;
  }

  #wait(): Promise<void> {
    return (this.#full ??= new Promise((resolve) => (this.#release = resolve)));
  }

  /** Senders wait until the end is reported: one that sends in a loop would otherwise never let that happen. */
  #cut(exchange: HttpExchange, error: TransportError): Promise<void> {
    this.isCut = true;
    const left = this.#wait();
    exchange.cut();
    // Now, not when the socket has closed: others must not be cut for it meanwhile.
    exchange.unread?.release();
    this.host.connection.fault(error);
    return left;
  }
}
