import { detectEra, cloneJson } from '@rxmcp/jsonrpc/internal';
import type {
  ConnectionHandler,
  Connection,
  SendOptions,
  Lane,
  OutgoingMessage,
  Receiver,
  Traits,
  Transport,
} from '@rxmcp/transport';
import { acceptedImmediately, pipeTraits, TransportError } from '@rxmcp/transport';
import type { Frame } from './pipe.js';

/** One message as it reached a dialling side. */
export interface Delivered {
  readonly to: string;
  readonly frame: Frame;
  /** The lane there. */
  readonly lane: Lane | undefined;
}

/** The requests that wait for their responses on one lane, by direction. */
export interface OpenLane {
  readonly served: ServedSide;
  readonly caller: DiallingSide;
  /** The lane at the caller. */
  readonly near: Lane | undefined;
  readonly waiting: Set<unknown>;
}

/**
 * A link on which each request has a lane of its own: a connection per handshake, and one for all that come without. What
 * sent with a request as headers arrives; a client without a handshake receives messages on lanes only.
 */
export class LanedLink implements Transport {
  readonly name = 'laned';
  readonly open = new Set<OpenLane>();
  readonly delivered: Delivered[] = [];
  readonly served = new Set<ServedSide>();
  readonly stalls = new Map<string, Promise<void>>();
  dials = 0;
  private acceptor: ConnectionHandler | undefined;
  private alone: ServedSide | undefined;

  dial(): Promise<Connection> {
    return this.as('').dial();
  }

  /** The same link for another caller. */
  as(principal: string): Transport {
    return {
      name: 'laned',
      dial: () => {
        this.dials += 1;
        return Promise.resolve(new DiallingSide(this, principal));
      },
    };
  }

  serve(acceptor: ConnectionHandler): void {
    this.acceptor = acceptor;
  }

  /** What one caller was delivered. */
  to(principal: string): Frame[] {
    return this.delivered.filter((each) => each.to === principal).map(({ frame }) => frame);
  }

  /** From now on what is sent to this caller is not taken, until the returned function is called. */
  stall(principal: string): () => void {
    let release: () => void = () => undefined;
    this.stalls.set(principal, new Promise<void>((resolve) => (release = resolve)));
    return () => {
      this.stalls.delete(principal);
      release();
    };
  }

  /** Forgets every session: the next message in one finds it lost. */
  forget(): void {
    for (const side of this.served) if (side.caller !== undefined) side.vanish();
  }

  /** Ends a lane from the caller's side, or cuts it between the two. */
  leave(lane: OpenLane, error?: TransportError): void {
    if (!this.open.delete(lane)) return;
    const { served, caller, near } = lane;
    queueMicrotask(() => served.receiver?.laneClosed(lane, error));
    if (error !== undefined && near !== undefined)
      queueMicrotask(() => caller.receiver?.laneClosed(near, error));
  }

  servedFor(caller: DiallingSide | undefined): ServedSide {
    if (caller === undefined && this.alone?.over === false) return this.alone;
    const side = new ServedSide(this, caller);
    if (caller === undefined) this.alone = side;
    this.served.add(side);
    this.acceptor?.accept(side);
    return side;
  }
}

const common: Traits = { ...pipeTraits, lanes: 'per-request' };
const aloneTraits: Traits = {
  ...common,
  idScope: 'lane',
  serverInitiates: false,
  clientReplies: false,
  carriesHeaders: true,
  redialable: false,
};

class ServedSide implements Connection {
  readonly traits: Traits;
  receiver: Receiver | undefined;
  over = false;

  constructor(
    private readonly link: LanedLink,
    readonly caller: DiallingSide | undefined,
  ) {
    this.traits = caller === undefined ? aloneTraits : { ...common, redialable: false };
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(out: OutgoingMessage, envelope: SendOptions = {}): Promise<void> {
    const frame = copied(out);
    const lane = envelope.lane as OpenLane | undefined;
    const caller = lane?.caller ?? this.caller;
    if (caller === undefined || (lane !== undefined && !this.link.open.has(lane))) return nobody();
    if (lane !== undefined && frame.method === undefined) {
      lane.waiting.delete(frame.id);
      if (lane.waiting.size === 0) this.link.open.delete(lane);
    }
    const go = (): void => caller.deliver(frame, lane?.near);
    const stalled = this.link.stalls.get(caller.principal);
    if (stalled !== undefined) return stalled.then(go);
    queueMicrotask(go);
    return acceptedImmediately;
  }

  endLane(lane: Lane): void {
    const { caller, near } = lane as OpenLane;
    if (this.link.open.delete(lane as OpenLane) && near !== undefined)
      queueMicrotask(() => caller.receiver?.laneClosed(near));
  }

  close(): Promise<void> {
    this.end();
    return Promise.resolve();
  }

  end(): void {
    for (const lane of [...this.link.open]) if (lane.served === this) this.endLane(lane);
    this.vanish();
  }

  /** Ends without a word to the caller. */
  vanish(): void {
    if (this.over) return;
    this.over = true;
    this.link.served.delete(this);
    queueMicrotask(() => this.receiver?.closed());
  }

  take(frame: Frame, caller: DiallingSide, { headers, version, lane: near }: SendOptions): void {
    const beside = {
      principal: caller.principal,
      ...(headers === undefined ? {} : { headers }),
      ...(version === undefined ? {} : { version }),
    };
    let lane: OpenLane | undefined;
    if (frame.method !== undefined && frame.id !== undefined) {
      lane = { served: this, caller, near, waiting: new Set([frame.id]) };
      this.link.open.add(lane);
    }
    queueMicrotask(() => {
      if (!this.over) this.receiver?.received(frame, lane === undefined ? beside : { ...beside, lane });
    });
  }
}

class DiallingSide implements Connection {
  readonly traits: Traits = { ...common, carriesHeaders: true };
  receiver: Receiver | undefined;
  private session: ServedSide | undefined;
  private over = false;

  constructor(
    private readonly link: LanedLink,
    readonly principal: string,
  ) {}

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(out: OutgoingMessage, envelope: SendOptions = {}): Promise<void> {
    const frame = copied(out);
    const claim = detectEra(frame);
    if (claim === 'legacy') this.session = this.link.servedFor(this);
    const side = claim === 'modern' ? undefined : this.session;
    if (side?.over === true) this.end(new TransportError('SESSION_EXPIRED', 'The session is closed.'));
    else (side ?? this.link.servedFor(undefined)).take(frame, this, envelope);
    return acceptedImmediately;
  }

  endLane(near: Lane): void {
    for (const lane of [...this.link.open])
      if (lane.caller === this && lane.near === near) this.link.leave(lane);
  }

  close(): Promise<void> {
    for (const lane of [...this.link.open]) if (lane.caller === this) this.link.leave(lane);
    this.session?.end();
    this.end();
    return Promise.resolve();
  }

  deliver(frame: Frame, lane: Lane | undefined): void {
    if (this.over) return;
    this.link.delivered.push({ to: this.principal, frame, lane });
    this.receiver?.received(frame, lane === undefined ? undefined : { lane });
  }

  private end(error?: TransportError): void {
    if (this.over) return;
    this.over = true;
    queueMicrotask(() => this.receiver?.closed(error));
  }
}

function copied(out: OutgoingMessage): Frame {
  return cloneJson('text' in out ? JSON.parse(out.text) : out) as Frame;
}

function nobody(): Promise<never> {
  return Promise.reject(new TransportError('SEND_FAILED', 'No server is there.', { outcome: 'not-sent' }));
}
