import type { JsonRpcErrorResponse, JsonRpcRequest, JsonRpcResponse } from '@rxmcp/jsonrpc';
import {
  HEADER_MISMATCH,
  messageKind,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
} from '@rxmcp/jsonrpc';
import { detectEra } from '@rxmcp/jsonrpc/internal';
import type {
  Connection,
  DialOptions,
  SendOptions,
  Lane,
  OutgoingMessage,
  Receiver,
  Traits,
  Transport,
} from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';

/**
 * Dials `first`. If the endpoint rejects the handshake as a wrong kind of endpoint, the connection continues over `second`. After
 * a success, later dials start with `second`, until such a dial fails.
 */
export function withFallback(first: Transport, second: Transport): Transport {
  let older = false;
  return {
    name: first.name,
    isWaiting: () => first.isWaiting?.() === true || second.isWaiting?.() === true,
    async dial(options?: DialOptions) {
      if (older) {
        try {
          return await second.dial(options);
        } catch (error) {
          older = false;
          if (options?.signal?.aborted === true) throw error;
          // The server may have been replaced by a newer one since.
        }
      }
      return new FallbackConnection(await first.dial(options), second, () => (older = true));
    },
  };
}

/** The statuses with which a server of HTTP+SSE rejects a POST to the URL of its stream. */
const noEndpoint: ReadonlySet<unknown> = new Set([400, 404, 405]);
const modernCodes: ReadonlySet<number> = new Set([
  HEADER_MISMATCH,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
]);

interface Opening {
  readonly out: OutgoingMessage;
  readonly envelope: SendOptions | undefined;
}

/** A connection that changes to the second transport once, if the first rejects the handshake. */
class FallbackConnection implements Connection {
  readonly traits: Traits;
  readonly #leaving = new AbortController();
  #receiver: Receiver | undefined;
  #opening: Opening | undefined;
  #changing: Promise<void> | undefined;
  /** Set if the first connection closed while the second was being dialled. */
  #ended: { readonly error: TransportError | undefined } | undefined;

  constructor(
    private inner: Connection,
    private readonly second: Transport,
    private readonly changed: () => void,
  ) {
    this.traits = inner.traits;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const first = this.inner;
    const current = (): boolean => this.inner === first && this.#changing === undefined;
    first.start({
      received: (incoming, arrival, heldBytes) => {
        if (!current()) return;
        const deliver = (): void => receiver.received(incoming, arrival, heldBytes);
        const opening = this.#endOpening((incoming as Partial<JsonRpcResponse> | null)?.id);
        if (opening !== undefined && isRejection(incoming)) this.#change(opening, deliver);
        else deliver();
      },
      laneClosed: (lane, error) => {
        if (!current()) return;
        const deliver = (): void => receiver.laneClosed(lane, error);
        const isOpening = this.#opening?.envelope?.lane === lane;
        const opening = isOpening
          ? this.#endOpening((this.#opening?.out as Partial<JsonRpcRequest>).id)
          : undefined;
        if (opening !== undefined && isNoEndpoint(error)) this.#change(opening, deliver);
        else deliver();
      },
      fault: (error) => {
        if (current()) receiver.fault(error);
      },
      closed: (error) => {
        if (current()) receiver.closed(error);
        else this.#ended = { error };
      },
    });
  }

  send(out: OutgoingMessage, envelope?: SendOptions): Promise<void> {
    if (detectEra(out) === 'legacy') this.#opening = { out, envelope };
    if (this.#changing === undefined) return this.inner.send(out, envelope);
    return this.#changing.then(() => this.inner.send(out, envelope));
  }

  endLane(lane: Lane): void {
    this.inner.endLane(lane);
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#changing;
    await this.inner.close();
  }

  /** The opening, where this id is its: from then on it is over, whatever else comes for it. */
  #endOpening(id: unknown): Opening | undefined {
    const opening = this.#opening;
    if (opening === undefined || (opening.out as Partial<JsonRpcRequest>).id !== id) return undefined;
    this.#opening = undefined;
    return opening;
  }

  #change(opening: Opening, rejected: () => void): void {
    this.#changing = this.#goOn(opening, rejected).finally(() => (this.#changing = undefined));
  }

  /** @param rejected Delivers the rejection of the first transport, if the second cannot be dialled either. */
  async #goOn(opening: Opening, rejected: () => void): Promise<void> {
    const receiver = this.#receiver;
    if (receiver === undefined) return;
    let next: Connection;
    try {
      next = await this.second.dial({ signal: this.#leaving.signal });
    } catch {
      // Both transports are rejected: the reason of the first is more helpful.
      queueMicrotask(() => {
        rejected();
        if (this.#ended !== undefined) receiver.closed(this.#ended.error);
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

/** An error without a modern code may come from a server that only knows HTTP+SSE. */
function isRejection(incoming: unknown): boolean {
  return messageKind(incoming) === 'error' && !modernCodes.has((incoming as JsonRpcErrorResponse).error.code);
}

function isNoEndpoint(error: TransportError | undefined): boolean {
  return error?.code === 'REJECTED' && noEndpoint.has(error.details?.['status']);
}
