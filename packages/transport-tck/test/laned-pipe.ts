import { Encoded, encode, type JsonObject, type Message } from '@rxmcp/jsonrpc';
import {
  type Acceptor,
  type Arrival,
  type Connection,
  type Lane,
  type Receiver,
  TransportError,
} from '@rxmcp/transport';
import type { Rig } from '../src/index.js';
import { pipeRig } from './pipe.js';

/** What travels through the pipe: a message beside its lane and its mirror, or the end of a lane. */
export interface Frame {
  readonly lane?: number;
  readonly ended?: number;
  readonly mirror?: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
}

/** Replaces a frame that is sent; nothing = it is lost. */
export type FrameChange = (frame: Frame, served: boolean) => Frame | undefined;

const maxMessageBytes = 32 * 1024;

/** A pipe in which every request has a lane of its own; `change` breaks it. */
export function lanedRig(acceptor: Acceptor, change: FrameChange = (frame) => frame): Rig {
  const rig = pipeRig({ accept: (connection) => acceptor.accept(laned(connection, true, change)) });
  return {
    transport: {
      name: 'laned pipe',
      dial: async (options) => laned(await rig.transport.dial(options), false, change),
    },
    close: () => rig.close(),
  };
}

function laned(inner: Connection, served: boolean, change: FrameChange): Connection {
  const book = laneBook();
  const send = (frame: Frame, signal?: AbortSignal): Promise<void> => {
    const changed = change(frame, served);
    if (changed === undefined) return Promise.resolve();
    const params = { ...changed };
    return inner.send({ jsonrpc: '2.0', method: 'frame', params }, signal === undefined ? {} : { signal });
  };
  return {
    traits: { ...inner.traits, lanes: 'per-request', idScope: 'lane', mirrors: true, maxMessageBytes },
    start: (receiver) => inner.start(unframing(receiver, book)),
    send(out, envelope = {}) {
      if (new TextEncoder().encode(encode(out)).length > maxMessageBytes) {
        return Promise.reject(new TransportError('TOO_LARGE', 'It is too large.', { outcome: 'not-sent' }));
      }
      const { lane, mirror, signal } = envelope;
      const message = out instanceof Encoded ? out.message : out;
      const beside = {
        ...(lane !== undefined && { lane: book.numberOf(lane) }),
        ...(mirror !== undefined && { mirror }),
      };
      return send({ ...beside, message: message as Message & JsonObject }, signal);
    },
    endLane: (lane) => void send({ ended: book.numberOf(lane) }).catch(() => undefined),
    close: () => inner.close(),
  };
}

function unframing(receiver: Receiver, book: LaneBook): Receiver {
  return {
    received(incoming) {
      const { lane, ended, mirror, message } = (incoming as { params: Frame }).params;
      if (ended !== undefined) return receiver.laneClosed(book.laneOf(ended));
      const arrival: Arrival = {
        ...(lane !== undefined && { lane: book.laneOf(lane) }),
        ...(mirror !== undefined && { mirror }),
      };
      receiver.received(message, arrival);
    },
    laneClosed: () => undefined,
    fault: (error) => receiver.fault(error),
    closed: (error) => receiver.closed(error),
  };
}

interface LaneBook {
  numberOf(lane: Lane): number;
  laneOf(number: number): Lane;
}

/** Lanes are known by identity on each side and by number between them. */
function laneBook(): LaneBook {
  const numbers = new Map<Lane, number>();
  const lanes = new Map<number, Lane>();
  const note = (lane: Lane, number: number): void => {
    numbers.set(lane, number);
    lanes.set(number, lane);
  };
  return {
    numberOf(lane) {
      if (!numbers.has(lane)) note(lane, numbers.size + 1);
      return numbers.get(lane) ?? 0;
    },
    laneOf(number) {
      const lane = lanes.get(number) ?? {};
      note(lane, number);
      return lane;
    },
  };
}
