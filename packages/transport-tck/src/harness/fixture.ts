import type { JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ConnectionHandler, SendOptions, Transport } from '@rxmcp/transport';
import type { Relay } from '../relay/relay.js';
import type { ProcessWatch } from './process-watch.js';

/** A freshly served transport, which `serve` returns. Each rule gets its own. */
export interface Fixture {
  /** Dials to the connection handler that was passed to `serve`. */
  readonly transport: Transport;
  /** Stops serving and closes the remaining connections. Called once. */
  close(): Promise<void>;
  /**
   * Sends one raw frame on the newest connection, as if the other side had sent it: a line, a WebSocket message, an event,
   * whatever frames a message in this transport. The hook adds what ends a frame, such as a line feed. A frame is a text, or
   * bytes that are not UTF-8. Return `false` for a frame that the transport cannot carry, such as bytes where messages are
   * texts: that rule is skipped. Return `answeredWith` where the transport answers the frame itself, as an HTTP server does,
   * so that its fault has no reply. Without this hook the garbage rules are skipped.
   */
  injectFrame?(
    towards: 'served' | 'dialled',
    frame: string | Uint8Array,
  ): InjectionResult | Promise<InjectionResult>;
  /**
   * What `injectFrame` cannot send: frames towards one side, frames of bytes, or batches. Rules that need it do not apply then,
   * without a trial. @default []
   */
  readonly notInjectable?: readonly ('served' | 'dialled' | 'bytes' | 'batch')[];
  /**
   * Breaks the newest connection like a broken cable, so that the dialling side can tell the loss from an orderly end: destroy
   * the socket of the dialling side, or reset it from the other side. Without this hook the rules about a loss are skipped.
   */
  cut?(): void | Promise<void>;
  /**
   * Other ways in which the newest connection is lost, by their names: a standing stream that is reset, a goodbye that says why the
   * other side failed. A rule cuts a connection in each of these ways.
   */
  readonly otherCuts?: Readonly<Record<string, () => void | Promise<void>>>;
  /**
   * Lies between both sides and disturbs what passes, in the rules of the group `relay`. It takes the place of `injectFrame`
   * where it has a `frame`, and of `cut` where all messages share one lane and a connection is accepted at its dial. Without it these rules are skipped.
   */
  readonly relay?: Relay;
  /**
   * When the connection handler receives a connection: at each `dial`; at the `opening` that the dialling side sends (a
   * session); or once, where one connection (an `endpoint`) serves all clients. @default 'dial'
   */
  readonly acceptsAt?: AcceptsAt;
  /** Opens the session of a dialled connection; required where `acceptsAt` is `opening`. The kit answers `initialize`. */
  openSession?(opener: SessionOpener): Promise<void>;
  /**
   * Adds to a message of the kit what the transport requires, such as a protocol revision in `params._meta` and in the send
   * options. It may only add to `_meta` of `params`, which the kit itself does not use. Messages of `openSession` are not passed.
   */
  prepare?(message: JsonRpcMessage, options: SendOptions): OutgoingFrame;
  /**
   * Breaks the exchange of the newest request in flight like a broken cable, and nothing else. Without this hook the rules
   * about the loss of a lane are skipped.
   */
  cutLane?(): void | Promise<void>;
  /** A lane that is cut after its first message is taken up again. @default false */
  readonly resumesLanes?: boolean;
  /** How long a served side waits for the first message of its peer before it ends the connection, in milliseconds. @default never ends it */
  readonly firstMessageTimeoutMs?: number;
  /** Whether a served side reads no further while its own sends wait. @default false */
  readonly pausesReading?: boolean;
  /** Counts what a broker keeps for its connections, such as keys and queues. The kit compares the count before and after. */
  residue?(): number | Promise<number>;
  /**
   * Closes what is kept for the next connection, such as idle sockets. The kit calls it before it counts handles. It resolves when both
   * sides have closed them: a request that is sent meanwhile on such a socket fails.
   */
  closeIdle?(): void | Promise<void>;
}

/** See {@link Fixture.acceptsAt}. */
export type AcceptsAt = 'dial' | 'session' | 'endpoint';

/** A message with its send options. */
export interface OutgoingFrame {
  readonly message: JsonRpcMessage;
  readonly options: SendOptions;
}

/** Sends the messages that open a session, from the dialling side. */
export interface SessionOpener {
  /** Sends a request and resolves with its result. */
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject>;
  notify(method: string, params: JsonObject, options?: SendOptions): Promise<void>;
}

/**
 * States what became of an injected frame. `false`: the transport cannot carry such a frame. `answeredWith`: the transport
 * answered the frame itself, with this JSON-RPC error code.
 */
export type InjectionResult = boolean | void | { readonly answeredWith: number };

/**
 * Serves the connection handler on a fresh transport and resolves with its {@link Fixture}. With `outOfProcess` it ignores the
 * handler and starts a process that serves `echoConnectionHandler()`.
 *
 * @param watch Takes the processes that the fixture starts: one that crashes or writes to its standard error breaks the rule.
 */
export type ServeFixture = (handler: ConnectionHandler, watch: ProcessWatch) => Promise<Fixture>;
