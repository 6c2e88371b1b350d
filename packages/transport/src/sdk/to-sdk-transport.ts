import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, ReceiveInfo, Connection, Lane, Transport } from '../contract.js';
import { notSentError, TransportError } from '../error.js';
import { RequestLanes } from './request-lanes.js';
import type { SdkCallback, SdkSendOptions, SdkTransport } from './sdk-transport.js';

/**
 * Makes a transport for the guides' interface of one of ours, which `start` dials, or of a connection that was accepted.
 * What fails in `start` and `send` is both told by `onerror` and rejected with, always a {@link TransportError}; a fault is told by
 * `onerror`, and so is the cause of an end, before `onclose`. Throws a TypeError for a connection whose ids are those of
 * many clients (`traits.idScope` is `'lane'`), which that interface cannot tell apart.
 */
export function toSdkTransport(source: Transport | Connection): SdkTransport {
  return new ToSdkTransport(source);
}

/** @internal */
export class ToSdkTransport implements SdkTransport {
  onmessage?: SdkCallback<[message: unknown, extra?: unknown]> | undefined;
  onerror?: SdkCallback<[error: Error]> | undefined;
  onclose?: SdkCallback<[]> | undefined;
  /** Read by newer SDKs: aborting a request ends its exchange, and no message has to say so. */
  hasPerRequestStream = false;
  private readonly whenOver: () => void;
  private readonly dialling = new AbortController();
  private connection: Connection | undefined;
  private exchanges: RequestLanes | undefined;
  private version: string | undefined;
  private begun = false;
  private over = false;

  constructor(
    private readonly source: Transport | Connection,
    whenOver: () => void = () => undefined,
  ) {
    this.whenOver = whenOver;
    if (!('dial' in source) && source.traits.idScope === 'lane') {
      throw new TypeError(
        '`toSdkTransport`: many clients share this connection, and the interface of the SDKs cannot distinguish them',
      );
    }
  }

  async start(): Promise<void> {
    if (this.begun) throw new TypeError('`start` was called before: a transport starts once');
    this.begun = true;
    let connection: Connection;
    try {
      connection = await this.connected();
    } catch (cause) {
      throw this.told(TransportError.from(cause, 'DIAL_FAILED'));
    }
    const perRequest = connection.traits.lanes === 'per-request';
    this.hasPerRequestStream = perRequest;
    this.exchanges = new RequestLanes(connection.traits, 'dial' in this.source);
    this.connection = connection;
    connection.start({
      received: (incoming, info) => this.received(incoming, info),
      laneClosed: (lane, error) => this.laneClosed(lane, error),
      fault: (error) => this.fault(error),
      closed: (error) => {
        if (error !== undefined) this.told(error);
        this.ended();
      },
    });
  }

  async send(message: unknown, options?: SdkSendOptions): Promise<void> {
    const { connection, exchanges } = this;
    if (connection === undefined || exchanges === undefined)
      throw this.told(notSentError('CLOSED', 'the transport was not started'));
    try {
      const out = message as JsonRpcMessage;
      await connection.send(out, exchanges.sendOptions(out, options, this.version));
    } catch (cause) {
      throw this.told(TransportError.from(cause, 'SEND_FAILED'));
    }
  }

  async close(): Promise<void> {
    this.dialling.abort();
    if (this.connection !== undefined) await this.connection.close();
    else if (!('dial' in this.source)) await this.source.close();
    this.ended();
  }

  setProtocolVersion(version: string): void {
    this.version = version;
  }

  private async connected(): Promise<Connection> {
    const { source } = this;
    if (this.over) throw notSentError('DIAL_ABORTED', 'the transport was closed');
    if (!('dial' in source)) return source;
    const connection = await source.dial({ signal: this.dialling.signal });
    if (!this.dialling.signal.aborted) return connection;
    await connection.close();
    throw notSentError('DIAL_ABORTED', 'the transport closed meanwhile');
  }

  private received(incoming: unknown, info: ReceiveInfo | undefined): void {
    // Batches are of one revision only; the SDKs take messages one by one.
    for (const message of Array.isArray(incoming) ? (incoming as unknown[]) : [incoming]) {
      if (typeof message !== 'object' || message === null) continue;
      this.exchanges?.messageReceived(message, info?.lane);
      this.onmessage?.(message);
    }
  }

  private laneClosed(lane: Lane, error: TransportError | undefined): void {
    const lost = this.exchanges?.laneClosed(lane) === true;
    if (lost) this.told(error ?? new TransportError('CONNECTION_LOST', 'a request ended without a response'));
  }

  private fault(error: TransportError): void {
    const { reply } = error;
    // The serving side owes an answer to what it cannot read, and nobody behind the callbacks can give it.
    if (reply !== undefined && !('dial' in this.source)) {
      void this.connection?.send({ jsonrpc: '2.0', ...reply }).catch(() => undefined);
    }
    this.told(error);
  }

  private told(error: TransportError): TransportError {
    try {
      this.onerror?.(error);
    } catch {
      // Whoever listens for errors may not cause another.
    }
    return error;
  }

  private ended(): void {
    if (this.over) return;
    this.over = true;
    try {
      this.onclose?.();
    } finally {
      this.whenOver();
    }
  }
}

/**
 * Serves an official server with any of our listening sides: `connect` gets a transport for each client, and connects a server
 * of its own to it. A client whose `connect` rejects is closed. Such a server knows no draining: it is given no time.
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
      // As a function of its own: a `connect` that throws at once is one that rejects.
      const begin = async (): Promise<void> => connect(transport);
      begin().catch(close);
      return { drain: close, closed };
    },
  };
}
