import type { ErrorBody, JsonObject, Request } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, OVERLOADED } from '@rxmcp/jsonrpc';
import type { Envelope, Refusal } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import type { ServedEra } from '../../eras/era.js';
import { McpError, RpcError } from '../../errors.js';
import type { PendingCall } from '../../peer/calls.js';
import type { Exchange } from '../../peer/exchange.js';
import type { Link } from '../link.js';
import type { RelayedCall } from '../relayed-call.js';

/** The other side of a bridge is gone or cannot be reached. */
export const OTHER_SIDE_GONE = -31003;

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

/** Makes such an era of what is its own. */
export function passingEra(own: Own): PassingEra {
  return {
    own: new Map(),
    claim: () => {
      throw new TypeError('a bridge reads claims itself');
    },
    has: () => true,
    prepare: () => undefined,
    result: ({ id }, value) => ({ jsonrpc: '2.0', id, result: value as JsonObject }),
    wantsLog: () => false,
    hasProgressText: () => true,
    ask: unavailable,
    request: unavailable,
    once: unavailable,
    withdraw: () => undefined,
    endFeeds: () => undefined,
    ...own,
  };
}

type Own = Omit<PassingEra, Exclude<keyof ServedEra, 'id' | 'failure' | 'laneClosed'>>;

/** A failure as the asking side sees it: what the other side answered, word for word; of a loss only its code. */
export function passedOn(
  { id, unread }: Exchange,
  error: unknown,
  refusals: ReadonlyMap<number, Refusal>,
): ReturnType<ServedEra['failure']> {
  const body = bodyOf(error);
  return {
    out: { jsonrpc: '2.0', id, error: body },
    refusal: refusals.get(body.code) ?? (unread ? 'malformed' : undefined),
  };
}

function bodyOf(error: unknown): ErrorBody {
  if (RpcError.is(error)) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (McpError.is(error, 'TOO_MANY_CALLS')) {
    const data = { retryable: true, retryAfterMs: 1_000, executed: false };
    return { code: OVERLOADED, message: 'too many requests are on the bridge', data };
  }
  if (TransportError.is(error)) {
    // What the error says may be for this side only, such as the last words of a child.
    const data = { code: error.code, outcome: error.outcome };
    const message = `the other side of the bridge did not answer: ${error.code}`;
    return { code: OTHER_SIDE_GONE, message, data };
  }
  const what = McpError.is(error) ? error.code : 'INTERNAL';
  return { code: INTERNAL_ERROR, message: `the bridge could not hand the answer on: ${what}` };
}

function unavailable(): Promise<never> {
  return Promise.reject(new McpError('ASK_UNAVAILABLE', 'a bridge asks nothing of its own'));
}
