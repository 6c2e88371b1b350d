import { decode, type WireError } from '@rxmcp/jsonrpc';
import { type ReceiveInfo, type Lane, type Receiver, type Traits, TransportError } from '@rxmcp/transport';
import { wireErrorToFault } from '@rxmcp/transport/internal';

/** One request and the way of everything that it causes. */
export interface Call {
  readonly id: unknown;
  readonly caller: Side;
  readonly served: Side;
  /** Its names on the dialling and on the served side. */
  readonly lane: Lane;
  readonly theirs: Lane;
  /** It was answered, ended or cut. */
  over: boolean;
  /** Messages that the dialling side has not taken, and the sends that wait for that. */
  queued: number;
  readonly waiting: (() => void)[];
  /** What came while it was cut, where it is taken up again. */
  kept: (() => void)[] | undefined;
}

/** One side of a connection: what happens to it happens in order, in a later turn and not before its start. */
export class Side {
  receiver: Receiver | undefined = undefined;
  queue: (() => void)[] = [];
  over = false;
  /** The served side of a dialling one. */
  served: Side | undefined = undefined;
  readonly calls = new Map<Lane, Call>();
  #scheduled = false;

  constructor(readonly traits: Traits) {}

  add(event: () => void): void {
    if (this.over) return;
    this.queue.push(event);
    this.wake();
  }

  wake(): void {
    if (this.#scheduled || this.receiver === undefined) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  /** Hands over a text, or the fault that it is. */
  deliver(text: string, arrival: ReceiveInfo): void {
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      this.receiver?.fault(wireErrorToFault(error as WireError));
      return;
    }
    this.receiver?.received(value, arrival);
  }

  end(error?: TransportError): void {
    if (this.over) return;
    this.over = true;
    this.queue = [];
    this.receiver?.closed(error);
  }

  #flush(): void {
    this.#scheduled = false;
    for (let done = 0; done < 256 && !this.over; done += 1) this.queue.shift()?.();
    if (this.queue.length > 0) this.wake();
  }
}

/** Why a message or a lane came to nothing. */
export function failure(code: 'CLOSED' | 'CONNECTION_LOST' | 'SEND_FAILED' | 'TOO_LARGE'): TransportError {
  const outcome = code === 'CONNECTION_LOST' ? 'unknown' : 'not-sent';
  return new TransportError(code, 'The message came to nothing.', { outcome });
}
