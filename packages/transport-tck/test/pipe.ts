import { decode, encode, type WireError } from '@rxmcp/jsonrpc';
import {
  acceptedImmediately,
  type ConnectionHandler,
  type Connection,
  type DialOptions,
  type SendOptions,
  type Lane,
  type OutgoingMessage,
  pipeTraits,
  type Receiver,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import type { Fixture } from '../src/index.js';

/** One end of a pipe of texts. */
export interface PipeEnd {
  readonly traits: Traits;
  readonly served: boolean;
  peer: PipeEnd;
  receiver: Receiver | undefined;
  /** Frames that wait to be delivered here. */
  inbox: string[];
  scheduled: boolean;
  /** The other side has closed; what is in the inbox still arrives. */
  finished: boolean;
  over: boolean;
  closing: Promise<void> | undefined;
  /** Sends towards here that wait for buffer space. */
  readonly waiting: Set<{ resolve(): void; reject(error: TransportError): void }>;
}

/** What the pipe is made of. A mutant replaces one part. */
export interface Parts {
  dial(connect: () => PipeEnd, options: DialOptions | undefined): Promise<PipeEnd>;
  /** A dial that comes after the stop. */
  refuse(): void;
  start(end: PipeEnd, receiver: Receiver): void;
  send(end: PipeEnd, out: OutgoingMessage, envelope: SendOptions | undefined): Promise<void>;
  bytes(text: string): number;
  text(out: OutgoingMessage): string;
  /** Whether a frame that arrives is within the limit. */
  fits(end: PipeEnd, text: string): boolean;
  /** A frame enters the inbox of `end`. */
  enqueue(end: PipeEnd, text: string): void;
  room(end: PipeEnd): Promise<void>;
  wake(end: PipeEnd): void;
  next(end: PipeEnd): string | undefined;
  deliver(end: PipeEnd, text: string): void;
  close(end: PipeEnd): Promise<void>;
  /** The end of a connection on one side. */
  over(end: PipeEnd, error?: TransportError): void;
  settle(end: PipeEnd, error: TransportError): void;
  cut(end: PipeEnd): void;
  endLane(end: PipeEnd, lane: Lane): void;
  stop(ends: readonly PipeEnd[]): Promise<void>;
}

const maxQueued = 64;
const traits: Traits = { ...pipeTraits, maxMessageBytes: 64 * 1024 };

/** A working pipe; `change` breaks it. */
export function pipeRig(
  acceptor: ConnectionHandler,
  change: (parts: Parts) => Partial<Parts> = () => ({}),
): Fixture {
  const parts: Parts = working(() => parts);
  Object.assign(parts, change({ ...parts }));
  const ends: PipeEnd[] = [];
  let stopped = false;
  const connect = (): PipeEnd => {
    if (stopped) parts.refuse();
    const client = endOf(false);
    client.peer = endOf(true);
    client.peer.peer = client;
    ends.push(client);
    acceptor.accept(connectionOf(client.peer, parts));
    return client;
  };
  const newest = (): PipeEnd | undefined => ends.at(-1);
  return {
    transport: {
      name: 'pipe',
      dial: async (options) => connectionOf(await parts.dial(connect, options), parts),
    },
    close() {
      stopped = true;
      return parts.stop(ends);
    },
    notInjectable: ['bytes'],
    injectFrame(towards, frame) {
      if (typeof frame !== 'string') return false;
      const client = newest();
      const end = towards === 'served' ? client?.peer : client;
      if (end !== undefined) parts.enqueue(end, frame);
    },
    cut() {
      const client = newest();
      if (client !== undefined) parts.cut(client);
    },
  };
}

function connectionOf(end: PipeEnd, parts: Parts): Connection {
  return {
    traits: end.traits,
    start: (receiver) => parts.start(end, receiver),
    send: (out, envelope) => parts.send(end, out, envelope),
    endLane: (lane) => parts.endLane(end, lane),
    close: () => (end.closing ??= parts.close(end)),
  };
}

function endOf(served: boolean): PipeEnd {
  const end = {
    traits,
    served,
    inbox: [],
    scheduled: false,
    finished: false,
    over: false,
    waiting: new Set(),
  };
  return Object.assign(end, { receiver: undefined, closing: undefined }) as unknown as PipeEnd;
}

function working(parts: () => Parts): Parts {
  return {
    async dial(connect, options) {
      await Promise.resolve();
      if (options?.signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
      return connect();
    },
    refuse() {
      throw new TransportError('DIAL_FAILED', 'The pipe is closed.');
    },
    start(end, receiver) {
      end.receiver = receiver;
      parts().wake(end);
    },
    send(end, out, envelope) {
      const refused = (code: 'CLOSED' | 'SEND_FAILED' | 'TOO_LARGE'): Promise<void> =>
        Promise.reject(new TransportError(code, 'The message was not sent.', { outcome: 'not-sent' }));
      if (end.over || end.closing !== undefined) return refused('CLOSED');
      if (envelope?.signal?.aborted === true) return refused('SEND_FAILED');
      const text = parts().text(out);
      if (parts().bytes(text) > end.traits.maxMessageBytes) return refused('TOO_LARGE');
      parts().enqueue(end.peer, text);
      return end.peer.inbox.length > maxQueued ? parts().room(end.peer) : acceptedImmediately;
    },
    bytes: (text) => new TextEncoder().encode(text).length,
    text: (out) => encode(out),
    enqueue(end, text) {
      if (end.over) return;
      end.inbox.push(text);
      parts().wake(end);
    },
    room: (end) => new Promise((resolve, reject) => end.waiting.add({ resolve, reject })),
    wake(end) {
      if (end.scheduled || end.receiver === undefined) return;
      end.scheduled = true;
      setImmediate(() => flush(end, parts()));
    },
    next: (end) => end.inbox.shift(),
    fits: (end, text) => Buffer.byteLength(text) <= end.traits.maxMessageBytes,
    deliver(end, text) {
      if (!parts().fits(end, text)) {
        end.receiver?.fault(new TransportError('TOO_LARGE', 'The frame is too large.'));
        return;
      }
      let value: unknown;
      try {
        value = decode(text);
      } catch (error) {
        const { code, message, rpcCode } = error as WireError;
        end.receiver?.fault(
          new TransportError(code, message, { reply: { error: { code: rpcCode, message } } }),
        );
        return;
      }
      end.receiver?.received(value);
    },
    async close(end) {
      end.peer.finished = true;
      parts().wake(end.peer);
      parts().over(end);
    },
    over(end, error) {
      if (end.over) return;
      end.over = true;
      end.inbox = [];
      const cause = error ?? new TransportError('CLOSED', 'the connection closed meanwhile');
      parts().settle(end, cause);
      parts().settle(end.peer, cause);
      end.receiver?.closed(error);
    },
    settle(end, error) {
      for (const { reject } of end.waiting) reject(error);
      end.waiting.clear();
    },
    cut(end) {
      for (const side of [end, end.peer]) {
        parts().over(side, new TransportError('CONNECTION_LOST', 'The pipe was cut.'));
      }
    },
    endLane: () => undefined,
    async stop(ends) {
      for (const { peer } of ends) {
        peer.closing ??= parts().close(peer);
        await peer.closing;
      }
    },
  };
}

function flush(end: PipeEnd, parts: Parts): void {
  end.scheduled = false;
  for (let delivered = 0; delivered < 256 && end.inbox.length > 0 && !end.over; delivered += 1) {
    const text = parts.next(end);
    if (text !== undefined) parts.deliver(end, text);
  }
  if (end.over) return;
  if (end.inbox.length > 0) {
    parts.wake(end);
    return;
  }
  for (const { resolve } of end.waiting) resolve();
  end.waiting.clear();
  if (end.finished) parts.over(end);
}
