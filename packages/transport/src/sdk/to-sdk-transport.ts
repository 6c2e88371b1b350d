import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, ReceiveInfo, Connection, Lane, Transport } from '../contract/contract.js';
import { notSentError, TransportError } from '../contract/error.js';
import { RequestLanes } from './request-lanes.js';
import type { SdkCallback, SdkSendOptions, SdkTransport } from './sdk-transport.js';

/**
 * Converts a transport, which `start` dials, or an accepted connection into a transport of the official SDK's interface. `start`
 * and `send` reject with a {@link TransportError} that `onerror` reports too. `onerror` also reports faults, and the cause of an end
 * before `onclose`.
 * @throws TypeError for a connection that many clients share (`traits.idScope` is `'lane'`), since that interface
 * cannot distinguish them
 */
export function toSdkTransport(source: Transport | Connection): SdkTransport {
  return new ToSdkTransport(source);
}

/** @internal */
class ToSdkTransport implements SdkTransport {
  onmessage?: SdkCallback<[message: unknown, extra?: unknown]> | undefined;
  onerror?: SdkCallback<[error: Error]> | undefined;
  onclose?: SdkCallback<[]> | undefined;
  /** Read by newer SDKs: aborting a request ends its HTTP exchange, without a cancel notification. */
  hasPerRequestStream = false;
  readonly #whenOver: () => void;
  readonly #dialling = new AbortController();
  #connection: Connection | undefined;
  #exchanges: RequestLanes | undefined;
  #version: string | undefined;
  #begun = false;
  #over = false;

  constructor(
    private readonly source: Transport | Connection,
    whenOver: () => void = () => undefined,
  ) {
    this.#whenOver = whenOver;
    if (!('dial' in source) && source.traits.idScope === 'lane') {
      throw new TypeError(
        '`toSdkTransport`: many clients share this connection, and the interface of the SDKs cannot distinguish them',
      );
    }
  }

  async start(): Promise<void> {
    if (this.#begun) throw new TypeError('`start` was called before: a transport starts once');
    this.#begun = true;
    let connection: Connection;
    try {
      connection = await this.#connected();
    } catch (cause) {
      throw this.#report(TransportError.from(cause, 'DIAL_FAILED'));
    }
    const perRequest = connection.traits.lanes === 'per-request';
    this.hasPerRequestStream = perRequest;
    this.#exchanges = new RequestLanes(connection.traits, 'dial' in this.source);
    this.#connection = connection;
    connection.start({
      received: (incoming, info) => this.#received(incoming, info),
      laneClosed: (lane, error) => this.#laneClosed(lane, error),
      fault: (error) => this.#fault(error),
      closed: (error) => {
        if (error !== undefined) this.#report(error);
        this.#ended();
      },
    });
  }

  async send(message: unknown, options?: SdkSendOptions): Promise<void> {
    const connection = this.#connection;
    const exchanges = this.#exchanges;
    if (connection === undefined || exchanges === undefined)
      throw this.#report(notSentError('CLOSED', 'the transport was not started'));
    try {
      const out = message as JsonRpcMessage;
      await connection.send(out, exchanges.sendOptions(out, options, this.#version));
    } catch (cause) {
      throw this.#report(TransportError.from(cause, 'SEND_FAILED'));
    }
  }

  async close(): Promise<void> {
    this.#dialling.abort();
    if (this.#connection !== undefined) await this.#connection.close();
    else if (!('dial' in this.source)) await this.source.close();
    this.#ended();
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async #connected(): Promise<Connection> {
    const { source } = this;
    if (this.#over) throw notSentError('DIAL_ABORTED', 'the transport was closed');
    if (!('dial' in source)) return source;
    const connection = await source.dial({ signal: this.#dialling.signal });
    if (!this.#dialling.signal.aborted) return connection;
    await connection.close();
    throw notSentError('DIAL_ABORTED', 'the transport closed meanwhile');
  }

  #received(incoming: unknown, info: ReceiveInfo | undefined): void {
    // Only one revision has batches; the SDKs receive single messages.
    for (const message of Array.isArray(incoming) ? (incoming as unknown[]) : [incoming]) {
      if (typeof message !== 'object' || message === null) continue;
      this.#exchanges?.messageReceived(message, info?.lane);
      this.onmessage?.(message);
    }
  }

  #laneClosed(lane: Lane, error: TransportError | undefined): void {
    const lost = this.#exchanges?.laneClosed(lane) === true;
    if (lost)
      this.#report(error ?? new TransportError('CONNECTION_LOST', 'a request ended without a response'));
  }

  #fault(error: TransportError): void {
    const { reply } = error;
    // The server side must answer a message that it cannot read, and the SDK behind the callbacks cannot.
    if (reply !== undefined && !('dial' in this.source)) {
      void this.#connection?.send({ jsonrpc: '2.0', ...reply }).catch(() => undefined);
    }
    this.#report(error);
  }

  #report(error: TransportError): TransportError {
    try {
      this.onerror?.(error);
    } catch {
      // An error in `onerror` must not cause another error.
    }
    return error;
  }

  #ended(): void {
    if (this.#over) return;
    this.#over = true;
    try {
      this.onclose?.();
    } finally {
      this.#whenOver();
    }
  }
}

/**
 * Creates a connection handler that serves servers of the official SDK over any server transport. `connect` receives a transport
 * for each client and connects a new server to it. Where `connect` rejects, the connection is closed. SDK servers cannot be
 * drained: `drain` closes them at once.
 *
 * @example
 * serveStdio(sdkConnectionHandler((transport) => makeServer().connect(transport)));
 */
export function sdkConnectionHandler(connect: (transport: SdkTransport) => Promise<void>): ConnectionHandler {
  return {
    accept(connection) {
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const transport = new ToSdkTransport(connection, () => over());
      const close = (): Promise<void> => transport.close().catch(() => undefined);
      // An async function, so that a `connect` that throws is one that rejects.
      const begin = async (): Promise<void> => connect(transport);
      begin().catch(close);
      return { drain: close, closed };
    },
  };
}
