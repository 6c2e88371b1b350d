import { encode } from '@rxmcp/jsonrpc';
import {
  type ReceiveInfo,
  type Connection,
  type SendOptions,
  notSentError,
  type Lane,
  type OutgoingMessage,
  type Receiver,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import { EarlyMessages, exceedsBytes, handOver, reportClosed, reportThrown } from '@rxmcp/transport/internal';
import { PostLane } from '../lane.js';

/** What a connection of the server side needs. */
export interface ConnectionHost {
  /** Sends what belongs to no request. */
  push(text: string): Promise<void>;
  /** The connection is over: lets go of all that belongs to it. */
  release(): void;
}

/** The connection that a handler receives: one session, or all requests without a session. */
export class HttpConnection implements Connection {
  #receiver: Receiver | undefined = undefined;
  #isOver = false;
  #cause: TransportError | undefined = undefined;
  /** What came before the start. */
  #held: ((receiver: Receiver) => void)[] | undefined = undefined;
  #early: EarlyMessages | undefined = undefined;

  constructor(
    readonly traits: Traits,
    private readonly host: ConnectionHost,
  ) {}

  get isClosed(): boolean {
    return this.#isOver;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('`start` may be called once');
    this.#receiver = receiver;
    if (this.#held !== undefined || this.#isOver) queueMicrotask(() => this.#flush());
  }

  /** Hands over what came in. False when it is over, or too much waits for a start. */
  received(value: unknown, info: ReceiveInfo, heldBytes: number): boolean {
    const receiver = this.#receiver;
    if (receiver === undefined || this.#held !== undefined || this.#isOver) {
      return this.#tell((later) => later.received(value, info, heldBytes), heldBytes);
    }
    try {
      receiver.received(value, info, heldBytes);
    } catch (cause) {
      reportThrown(receiver, cause);
    }
    return true;
  }

  fault(error: TransportError): void {
    this.#tell((receiver) => receiver.fault(error));
  }

  laneClosed(lane: Lane): void {
    const error = new TransportError('CONNECTION_LOST', 'the caller disconnected from this request');
    this.#tell((receiver) => receiver.laneClosed(lane, error));
  }

  send(out: OutgoingMessage, options?: SendOptions): Promise<void> {
    if (this.#isOver) return rejected('CLOSED', 'the connection is closed', this.#cause);
    if (options?.signal?.aborted === true) {
      return rejected('SEND_FAILED', 'sending was aborted', options.signal.reason);
    }
    let text: string;
    try {
      text = encode(out);
    } catch (cause) {
      return rejected('SEND_FAILED', 'the message cannot be written as JSON', cause);
    }
    const { maxMessageBytes } = this.traits;
    if (exceedsBytes(text, maxMessageBytes)) {
      return rejected('TOO_LARGE', `the message is larger than ${String(maxMessageBytes)} bytes`);
    }
    const lane = options?.lane;
    if (lane === undefined) return this.host.push(text);
    if (!(lane instanceof PostLane))
      return rejected('SEND_FAILED', 'the lane does not belong to this connection');
    return lane.send(out, text, options?.rejection, options?.completesHandshake === true);
  }

  endLane(lane: Lane): void {
    if (lane instanceof PostLane) lane.end();
  }

  close(): Promise<void> {
    this.end();
    return closed;
  }

  /** Ends it, with its cause unless it is in order. */
  end(error?: TransportError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cause = error;
    this.#early?.release();
    this.host.release();
    // Never inside a call of the peer.
    if (this.#receiver !== undefined) queueMicrotask(() => this.#flush());
  }

  #tell(event: (receiver: Receiver) => void, heldBytes = 0): boolean {
    if (this.#isOver) return false;
    const receiver = this.#receiver;
    if (receiver === undefined || this.#held !== undefined) {
      if (!(this.#early ??= new EarlyMessages(this.traits)).add(heldBytes)) return false;
      (this.#held ??= []).push(event);
      return true;
    }
    handOver(receiver, event);
    return true;
  }

  #flush(): void {
    const receiver = this.#receiver;
    if (receiver === undefined) return;
    this.#early?.release();
    for (const event of this.#held ?? []) {
      if (this.#isOver) break;
      handOver(receiver, event);
    }
    this.#held = undefined;
    if (!this.#isOver) return;
    // The end is reported once.
    this.#receiver = silent;
    if (receiver !== silent) reportClosed(receiver, this.#cause);
  }
}

const closed = Promise.resolve();
const nothing = (): void => undefined;
const silent: Receiver = { received: nothing, laneClosed: nothing, fault: nothing, closed: nothing };

function rejected(code: TransportError['code'], message: string, cause?: unknown): Promise<never> {
  return Promise.reject(notSentError(code, message, cause));
}
