import type { JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, SendOptions, Transport } from '@rxmcp/transport';

/** One freshly served transport; each law gets its own. */
export interface Fixture {
  /** Dials to the acceptor that `serve` was given. */
  readonly transport: Transport;
  /** Stops serving and closes the connections that are left. Called once. */
  close(): Promise<void>;
  /**
   * Puts one raw frame in the way of the newest connection, as if the other side had sent it: a line, a socket message,
   * an event, whatever frames a message here; what ends a frame, such as a line feed, is the hook's to add. A frame is a
   * text, or bytes where no text can say it (not UTF-8). Give `false` for a frame that the carrier cannot carry, as a
   * carrier of texts does for bytes: that law is not run. A carrier that answers a frame by itself, as a server of HTTP does,
   * tells a fault without a reply: give the code of its answer then. Without the hook no garbage law is run.
   */
  injectFrame?(
    towards: 'served' | 'dialled',
    frame: string | Uint8Array,
  ): InjectionResult | Promise<InjectionResult>;
  /**
   * Cuts the carrier of the newest connection as a broken cable would, so that the dialling side can tell it from an
   * orderly end: destroy the dialling side's own end of it, or reset it from the other side. Without it the laws of a
   * loss are not run.
   */
  cut?(): void | Promise<void>;
  /**
   * When the acceptor is given a connection: at each `dial`, at the `opening` that the dialling side sends (a session), or
   * once for all, where one connection serves whoever calls (an `endpoint`). @default 'dial'
   */
  readonly acceptsAt?: AcceptsAt;
  /** Opens the session of a connection that was dialled; needed where `accepts` is `opening`. The kit answers `initialize`. */
  openSession?(opener: SessionOpener): Promise<void>;
  /**
   * Makes of a message of the kit what the carrier demands, such as a protocol revision in `params._meta` and beside the
   * body. What it adds to `params` has to be in `_meta`, which the kit itself does not use. An opening is not dressed.
   */
  prepare?(message: JsonRpcMessage, envelope: SendOptions): OutgoingFrame;
  /**
   * Breaks the exchange of the newest request in flight as a broken cable would, and nothing else. Without it the laws
   * of the loss of a lane are not run.
   */
  cutLane?(): void | Promise<void>;
  /** A lane that is cut after its first message is taken up again. @default false */
  readonly resumesLanes?: boolean;
  /** Lets go what is kept for the next connection, such as sockets that are idle, before handles are counted. */
  closeIdle?(): void | Promise<void>;
}

/** See {@link Fixture.acceptsAt}. */
export type AcceptsAt = 'dial' | 'session' | 'endpoint';

/** A message with its envelope. */
export interface OutgoingFrame {
  readonly message: JsonRpcMessage;
  readonly options: SendOptions;
}

/** The dialling side, for the opening of a session. */
export interface SessionOpener {
  /** Sends a request and gives its result. */
  request(method: string, params: JsonObject, envelope?: SendOptions): Promise<JsonObject>;
  notify(method: string, params: JsonObject, envelope?: SendOptions): Promise<void>;
}

/** `false` = the carrier cannot carry such a frame. With `answered` it answered by itself, with that JSON-RPC error code. */
export type InjectionResult = boolean | void | { readonly answeredWith: number };

/** Serves `acceptor` and gives what dials to it. A remote one starts a process that serves `echoConnectionHandler()` instead. */
export type ServeFixture = (acceptor: ConnectionHandler) => Promise<Fixture>;
