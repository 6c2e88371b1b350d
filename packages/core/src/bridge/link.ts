import type { JsonObject } from '@rxmcp/jsonrpc';
import { HEADER_MISMATCH } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { Connection, Lane, ServedConnection } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { settleWithin } from '@rxmcp/transport/internal';
import { RxmcpError, RpcError } from '../base/errors.js';
import { singleLine, quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { requestOptions } from '../eras/modern/header-checks.js';
import { legacyVersions, modernVersions } from '../eras/versions.js';
import { CallTurns } from '../peer/call-turns.js';
import type { Exchange } from '../peer/exchange.js';
import { notification } from '../peer/writer.js';
import { ClientSide } from './client-side.js';
import type { BridgeLink, OutcomeHandler, PassingEra, RelayedRequest } from './contract.js';
import { HeaderParamIndex } from './mirrored-params.js';
import { Relay } from './relay.js';
import { ServerSide } from './server-side.js';
import { Side } from './side.js';

const allVersions = [...modernVersions, ...legacyVersions];
const listMs = 10_000;

/** One client joined with one server. Both connections close together. */
export class Link implements BridgeLink, OutcomeHandler, ServedConnection {
  readonly client: Side;
  readonly server: Side;
  /** The requests of the client, and those of the server. */
  readonly calls: Relay;
  readonly asks: Relay;
  readonly #turns: CallTurns | undefined;
  readonly headerParams = new HeaderParamIndex();
  readonly closed: Promise<void>;
  /** The revision that the handshake negotiated. */
  version: string | undefined = undefined;
  /** The revision that the last request without a handshake named. */
  modern: string | undefined = undefined;
  readonly #face: ClientSide;
  readonly #versions: readonly string[];
  #idle: Promise<void> | undefined = undefined;
  #isOver = false;
  #over: () => void = () => undefined;

  constructor(
    client: Connection,
    server: Connection,
    readonly fault: (fault: Fault) => void,
  ) {
    this.#face = new ClientSide(this);
    this.client = new Side(client, this.#face);
    this.server = new Side(server, new ServerSide(this));
    const { idScope, principal } = client.traits;
    // Anonymous callers share one connection to the server, which takes them for one caller.
    this.#turns = idScope === 'lane' && principal === undefined ? new CallTurns() : undefined;
    const cancel = ({ era, call }: RelayedRequest, reason: string): void => {
      if (call !== undefined) era.cancel(this, call, reason);
    };
    this.calls = new Relay(this.server, this, cancel, this.#turns);
    const handOn: OutcomeHandler = { result: (_call, result) => result, failed: () => false };
    this.asks = new Relay(this.client, handOn, (ask, reason) => this.#withdraw(ask, reason));
    this.#versions = allVersions.filter((v) =>
      [client, server].every(({ traits }) => traits.versions?.includes(v) ?? true),
    );
    this.closed = new Promise((resolve) => (this.#over = resolve));
    this.server.start();
    this.client.start();
  }

  /** Whether both transports support a revision. True for an unknown one: the server decides. */
  carries(version: string): boolean {
    return this.#versions.includes(version) || !allVersions.includes(version);
  }

  /** Relays a request of the client to the server. */
  toServer(era: PassingEra, exchange: Exchange, params: JsonObject | undefined): void {
    this.calls.begin(
      era,
      exchange,
      era.outgoing(this, exchange.method, params),
      era.sendOptions(this, exchange),
    );
  }

  /** Relays a request of the server to the client. */
  toClient(
    era: PassingEra,
    exchange: Exchange,
    params: JsonObject | undefined,
    lane: Lane | undefined,
  ): void {
    const { version } = exchange;
    this.client.held.flush(lane);
    this.asks.begin(era, exchange, params, lane === undefined ? { version } : { lane, version });
  }

  result(call: RelayedRequest, result: JsonObject): JsonObject | undefined {
    return call.era.taken(this, call, result);
  }

  failed(call: RelayedRequest, error: Error): boolean {
    const { exchange, era } = call;
    const { connection, peer } = this.server;
    // The client receives the code only. The loss of the connection is reported once, by end().
    if (TransportError.is(error) && !peer.isOver)
      this.#broken(error, `the server did not answer ${quoted(exchange.method)}`);
    const isMissing = RpcError.is(error) && error.code === HEADER_MISMATCH;
    const wanted =
      era.sendsHeaderParams && connection.traits.carriesHeaders && exchange.method === 'tools/call';
    if (!isMissing || !wanted || call.repeated) return false;
    // The client could not know which headers the server requires, or this bridge did not. A fresh list says so.
    call.repeated = true;
    const { version, meta } = exchange;
    const again = {
      result: (result: JsonObject) => {
        this.headerParams.learn(result);
        this.calls.again(call, era.sendOptions(this, exchange));
      },
      failed: () => exchange.failed(error),
    };
    const timeouts = { idleTimeoutMs: listMs, totalTimeoutMs: listMs };
    const sendOptions = requestOptions({ connection, version }, 'tools/list', undefined, undefined);
    const { progressToken: _own, ...claims } = meta;
    this.server.peer.calls.start('tools/list', () => ({ _meta: claims }), timeouts, again, sendOptions);
    return true;
  }

  /** The server ended a subscription with a cancellation instead of a result. */
  subscriptionEnded(call: RelayedRequest): void {
    this.calls.drop(call);
    this.#endSubscription(call.exchange);
  }

  /**
   * Ends a subscription at the client after its result: by a cancellation on a shared pipe, otherwise by closing
   * the lane.
   */
  endLane({ id, lane }: Exchange): void {
    if (lane === undefined)
      void this.client.writer.send(notification('notifications/cancelled', { requestId: id }));
    else this.client.connection.endLane(lane);
  }

  async drain({ timeoutMs }: { readonly timeoutMs: number }): Promise<void> {
    this.#face.draining = true;
    for (const { exchange } of this.calls.all())
      if (exchange.method === 'subscriptions/listen') this.#endSubscription(exchange);
    if (this.client.inFlight.size === 0) return;
    // One promise for all drain() calls: no request that is admitted from now on stays in flight.
    this.#idle ??= new Promise((resolve) => (this.client.idle = resolve));
    await settleWithin(this.#idle, Math.max(0, timeoutMs));
  }

  /** Handles the end of one side: fails the open requests of the other side and closes it. */
  end(which: 'client' | 'server', error: TransportError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#turns?.close();
    if (error !== undefined) this.#broken(error, `the ${which} side was lost`);
    const lost = error ?? new TransportError('PEER_CLOSED', 'the other side of the bridge ended');
    const closedError = new RxmcpError('CANCELLED', 'the bridge lost the other side of this request', {
      outcome: 'unknown',
    });
    const [left, ended] = which === 'client' ? [this.server, this.client] : [this.client, this.server];
    for (const exchange of ended.inFlight.all()) exchange.cancel(closedError);
    for (const exchange of left.inFlight.all()) exchange.failed(lost);
    left.peer.calls.failAll(lost);
    void left.connection.close().finally(this.#over);
  }

  #broken(cause: TransportError, what: string): void {
    this.fault({ code: cause.code, message: `${what}: ${singleLine(cause.message)}`, cause });
  }

  #endSubscription(exchange: Exchange): void {
    exchange.done({ resultType: 'complete', _meta: { [META_KEYS.subscriptionId]: exchange.id } });
    this.endLane(exchange);
  }

  // Cancels a request of the server at the client. Its lane stays open, because it is that of the request being
  // served.
  #withdraw({ call }: RelayedRequest, reason: string): void {
    if (call === undefined) return;
    const { id, lane } = call;
    const message = notification('notifications/cancelled', { requestId: id, reason });
    void this.client.writer.send(message, lane === undefined ? undefined : { lane });
  }
}
