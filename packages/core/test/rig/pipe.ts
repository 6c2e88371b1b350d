import type {
  ReceiveInfo,
  Connection,
  SendOptions,
  Lane,
  Receiver,
  Traits,
  TransportError,
} from '@rxmcp/transport';
import { createConnection, pipeTraits } from '@rxmcp/transport';
import type { Sink } from '@rxmcp/transport';

/** A JSON-RPC message as a script sees it. */
export interface Frame {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** The far end of a connection, in the hands of a test. */
export interface Pipe {
  readonly connection: Connection;
  /** All that the tested side sent, oldest first. */
  readonly sent: Frame[];
  /** The headers sent with each of them. */
  readonly envelopes: (SendOptions | undefined)[];
  /** The lanes that the tested side ended, oldest first. */
  readonly ended: Lane[];
  /** Called for each message that the tested side sends, one microtask later. */
  onFrame: ((frame: Frame) => void) | undefined;
  /** True while the pipe accepts nothing that the tested side sends. */
  readonly stalled: boolean;
  readonly closed: boolean;
  put(message: unknown): void;
  putText(text: string): void;
  /** Puts a message onto a lane. */
  putOn(message: unknown, arrival: ReceiveInfo): void;
  /** The lane on which the tested side sent its last request of this method. */
  laneOf(method: string): Lane | undefined;
  /** Closes a lane from the far side, or that on which the tested side sent its last request of this method. */
  closeLane(lane: Lane | string, error?: TransportError): void;
  /** Information that the carrier gives in addition to the messages. */
  fault(error: TransportError): void;
  /** Ends the connection from the far side. */
  end(error?: TransportError): void;
  stall(): void;
  release(): void;
}

/** A pipe whose far end is a script: text in, text out, nothing in between. */
export function pipe(traits: Partial<Traits> = {}): Pipe {
  let sink: Sink | undefined;
  let taken: (() => void)[] | undefined;
  let closed = false;
  const sent: Frame[] = [];
  const envelopes: (SendOptions | undefined)[] = [];
  const ended: Lane[] = [];
  let receiver: Receiver | undefined;
  const lanes = new Map<string, Lane>();
  const carried = createConnection(
    {
      start(to) {
        sink = to;
      },
      send(text, envelope) {
        const frame = JSON.parse(text) as Frame;
        sent.push(frame);
        envelopes.push(envelope);
        if (frame.method !== undefined && envelope?.lane !== undefined)
          lanes.set(frame.method, envelope.lane);
        queueMicrotask(() => self.onFrame?.(frame));
        return taken === undefined ? undefined : new Promise<void>((resolve) => taken?.push(resolve));
      },
      close() {
        closed = true;
      },
    },
    { ...pipeTraits, ...traits },
  );
  const connection: Connection = {
    traits: carried.traits,
    start(to) {
      receiver = to;
      carried.start(to);
    },
    send: (out, envelope) => carried.send(out, envelope),
    endLane: (lane) => void ended.push(lane),
    close: () => carried.close(),
  };
  const self: Pipe = {
    connection,
    sent,
    envelopes,
    ended,
    onFrame: undefined,
    get stalled() {
      return taken !== undefined;
    },
    get closed() {
      return closed;
    },
    put: (message) => sink?.text(JSON.stringify(message)),
    putText: (text) => sink?.text(text),
    putOn: (message, arrival) => sink?.text(JSON.stringify(message), arrival),
    laneOf: (method) => lanes.get(method),
    closeLane(lane, error) {
      const found = typeof lane === 'string' ? lanes.get(lane) : lane;
      if (found !== undefined) receiver?.laneClosed(found, error);
    },
    fault: (error) => sink?.fault(error),
    end(error) {
      closed = true;
      sink?.closed(error);
    },
    stall() {
      taken ??= [];
    },
    release() {
      const waiting = taken ?? [];
      taken = undefined;
      for (const resolve of waiting) resolve();
    },
  };
  return self;
}
