import {
  type Connection,
  type Lane,
  type OutgoingMessage,
  pipeTraits,
  type Receiver,
  type SendOptions,
  type Traits,
  type TransportError,
} from '../../src/index.js';

/** A connection whose other side is the test. */
export class Bare implements Connection {
  readonly traits: Traits;
  readonly sent: (readonly [OutgoingMessage, SendOptions | undefined])[] = [];
  /** The options of each send, also of those that fail. */
  readonly tried: (SendOptions | undefined)[] = [];
  readonly ended: Lane[] = [];
  receiver: Receiver | undefined;
  failure: TransportError | undefined;
  closes = 0;

  constructor(traits: Partial<Traits> = {}) {
    this.traits = { ...pipeTraits, ...traits };
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  async send(out: OutgoingMessage, envelope?: SendOptions): Promise<void> {
    this.tried.push(envelope);
    if (this.failure !== undefined) throw this.failure;
    this.sent.push([out, envelope]);
  }

  endLane(lane: Lane): void {
    this.ended.push(lane);
  }

  async close(): Promise<void> {
    this.closes += 1;
    if (this.closes === 1) this.receiver?.closed();
  }
}
