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
  private messages = 0;
  private full: Promise<void> | undefined = undefined;
  private release: (() => void) | undefined = undefined;

  constructor(private readonly host: BacklogHost) {}

  /** Counts one more message. Over the limit, returns a promise for when there is room again. */
  add(exchange: HttpExchange): Promise<void> {
    this.messages += 1;
    const { queuedBytes } = exchange;
    if (this.messages < maxQueued && queuedBytes < maxQueuedBytes) return acceptedImmediately;
    const { maxMessageBytes, writeTimeoutMs } = this.host.shared.bounds;
    if (
      this.messages > maxQueued * hardLimitFactor ||
      queuedBytes > maxQueuedBytes * hardLimitFactor + maxMessageBytes
    ) {
      this.cut(exchange, new TransportError('OVERFLOW', tooSlow));
      return acceptedImmediately;
    }
    if (this.full === undefined) {
      this.full = new Promise((resolve) => (this.release = resolve));
      exchange.stallsAfter(writeTimeoutMs);
    }
    return this.full;
  }

  /** Charges for what waits, and for so many characters of a replay. Where it is refused, cuts the reader and returns false. */
  charge(exchange: HttpExchange, replayChars: number): boolean {
    const unread = unreadOutputOf(exchange, this.host.shared.memory);
    if (unread.hold(exchange.queuedBytes + replayChars)) return true;
    this.cut(exchange, unread.error());
    return false;
  }

  /** The reader has caught up, or has left: senders continue. */
  relieve(exchange: HttpExchange | undefined): void {
    this.messages = 0;
    exchange?.unread?.hold(exchange.queuedBytes);
    if (this.full === undefined) return;
    exchange?.stallsAfter(0);
    this.release?.();
    this.full = undefined;
    this.release = undefined;
  }

  private cut(exchange: HttpExchange, error: TransportError): void {
    exchange.cut();
    this.host.connection.fault(error);
  }
}
