import {
  claimOf,
  HEADER_MISMATCH,
  kindOf,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
  type ErrorResponse,
  type Request,
} from '@rxmcp/jsonrpc';
import type { Connection, Envelope, Lane, Outgoing, Receiver, Traits, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';

/** The answers by which a server of the older transport refuses a POST to its stream's address. */
const noEndpoint: ReadonlySet<unknown> = new Set([400, 404, 405]);
const modernCodes: ReadonlySet<number> = new Set([HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION]);

interface Opening {
  readonly out: Outgoing;
  readonly envelope: Envelope | undefined;
}

/** A connection that changes its carrier once, when the handshake is refused by the first. */
export class EitherConnection implements Connection {
  readonly traits: Traits;
  private readonly leaving = new AbortController();
  private receiver: Receiver | undefined;
  private opening: Opening | undefined;
  private changing: Promise<void> | undefined;
  /** The first carrier ended while the second was being dialled. */
  private ended: { readonly error: TransportError | undefined } | undefined;

  constructor(
    private inner: Connection,
    private readonly second: Transport,
    private readonly changed: () => void,
  ) {
    this.traits = inner.traits;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
    const first = this.inner;
    const current = (): boolean => this.inner === first && this.changing === undefined;
    first.start({
      received: (incoming, arrival) => {
        if (!current()) return;
        const deliver = (): void => receiver.received(incoming, arrival);
        if (this.refusesOpening(incoming)) this.change(deliver);
        else deliver();
      },
      laneClosed: (lane, error) => {
        if (!current()) return;
        const deliver = (): void => receiver.laneClosed(lane, error);
        if (this.opening?.envelope?.lane === lane && isNoEndpoint(error)) this.change(deliver);
        else deliver();
      },
      fault: (error) => {
        if (current()) receiver.fault(error);
      },
      closed: (error) => {
        if (current()) receiver.closed(error);
        else if (this.inner === first) this.ended = { error };
      },
    });
  }

  send(out: Outgoing, envelope?: Envelope): Promise<void> {
    if (claimOf(out) === 'opens') this.opening = { out, envelope };
    if (this.changing === undefined) return this.inner.send(out, envelope);
    return this.changing.then(() => this.inner.send(out, envelope));
  }

  endLane(lane: Lane): void {
    this.inner.endLane(lane);
  }

  async close(): Promise<void> {
    this.leaving.abort();
    await this.changing;
    await this.inner.close();
  }

  /** An error without a modern word answers the handshake: it may come from a server that only knows the older transport. */
  private refusesOpening(incoming: unknown): boolean {
    if (this.opening === undefined || kindOf(incoming) !== 'error') return false;
    const { id, error } = incoming as ErrorResponse;
    return id === (this.opening.out as Partial<Request>).id && !modernCodes.has(error.code);
  }

  private change(refused: () => void): void {
    this.changing = this.goOn(refused).finally(() => (this.changing = undefined));
  }

  /** @param refused Tells what the first carrier said, where the second leads nowhere either. */
  private async goOn(refused: () => void): Promise<void> {
    const { receiver, opening } = this;
    if (receiver === undefined || opening === undefined) return;
    let next: Connection;
    try {
      next = await this.second.dial({ signal: this.leaving.signal });
    } catch {
      // Neither carrier is spoken here: why the first was refused says more.
      queueMicrotask(() => {
        refused();
        if (this.ended !== undefined) receiver.closed(this.ended.error);
      });
      return;
    }
    const first = this.inner;
    this.inner = next;
    void first.close();
    this.changed();
    next.start(receiver);
    next.send(opening.out, opening.envelope).catch((error: unknown) => {
      const lane = opening.envelope?.lane;
      if (lane !== undefined) receiver.laneClosed(lane, TransportError.from(error, 'SEND_FAILED'));
    });
  }
}

function isNoEndpoint(error: TransportError | undefined): boolean {
  return error?.code === 'REFUSED' && noEndpoint.has(error.details?.['status']);
}
