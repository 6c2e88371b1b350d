import type { JsonObject, Request } from '@rxmcp/jsonrpc';
import type { Envelope } from '@rxmcp/transport';
import type { ServedEra } from '../eras/served.js';
import type { PendingCall } from '../peer/calls.js';
import type { Exchange } from '../peer/exchange.js';
import type { Link } from './link.js';
import { RelayedCall } from './relay.js';

/** How results and failures are handed on. */
export interface CallJoint {
  /** The result as the asking side may see it; undefined = it was handed over in another way. */
  result(call: RelayedCall, result: JsonObject): JsonObject | undefined;
  /** True when the failure was taken care of. */
  failed(call: RelayedCall, error: Error): boolean;
}

/** An era as a bridge serves it: what comes from the other side passes as it is, and only the ways of saying are its own. */
export interface PassingEra extends ServedEra {
  /** A server may ask while it serves a request. */
  readonly takesQuestions: boolean;
  /** Parameters of tools may have to travel beside their calls. */
  readonly mirrors: boolean;
  /** Refuses what a carrier cannot have across the bridge; the rest is for the other side to judge. Throws RpcError. */
  check(link: Link, request: Request, exchange: Exchange): void;
  /** The parameters of a request, without what a carrier cannot have. */
  outgoing(link: Link, method: string, params: JsonObject | undefined): JsonObject | undefined;
  /** What travels beside a request to the server. */
  beside(link: Link, exchange: Exchange): Envelope | undefined;
  /** A result as the client may see it; undefined where it has been handed over in another way. */
  taken(link: Link, call: RelayedCall, result: JsonObject): JsonObject | undefined;
  /** Tells the server that nobody waits any more. */
  cancel(link: Link, call: PendingCall, reason: string): void;
}
