import type { JsonObject } from '@rxmcp/jsonrpc';

/**
 * States what a connection can do. The core package and the conformance kit check traits, never the name of a transport. A side
 * advertises the capabilities that it offers and that the traits allow.
 */
export interface Traits {
  /** `shared`: one lane for all messages (a pipe, a socket). `per-request`: every request has its own lane (HTTP). */
  readonly lanes: 'shared' | 'per-request';
  /**
   * Where request ids and progress tokens are unique. The sides may differ: a served connection that answers many clients has
   * `lane`, while each client counts its own ids and has `connection`.
   */
  readonly idScope: 'connection' | 'lane';
  /** Whether the server side can send unasked, over a standing stream. On the dialling side: whether it receives such messages. */
  readonly serverInitiates: boolean;
  /** Whether the dialling side can answer requests of the server side. */
  readonly clientReplies: boolean;
  /** Whether `SendOptions.headers` are sent with a message and must match its body. On the dialling side: where the revision requires it. */
  readonly carriesHeaders: boolean;
  /** The protocol revisions that the transport supports; absent = all. */
  readonly versions?: readonly string[];
  /** Whether the transport can dial again after a loss. */
  readonly redialable: boolean;
  /** Largest message in either direction, in bytes of UTF-8. */
  readonly maxMessageBytes: number;
  /**
   * The name under which a `MemoryBudget` charges what the connection keeps, such as the principal or the address of the
   * peer. Connections with the same name share one limit. Absent = the connection has a name of its own.
   */
  readonly holder?: string;
  /** The authenticated peer, where the whole connection belongs to one principal. `ReceiveInfo.principal` takes precedence. */
  readonly principal?: string;
  /** What else was found out about the peer. Ignored without `principal`, and where `ReceiveInfo.principal` is set. */
  readonly claims?: JsonObject;
  /** What the peer may do. Ignored without `principal`, and where `ReceiveInfo.principal` is set. */
  readonly scopes?: readonly string[];
}

/** The traits of an ordinary two-way pipe. Override those in which a transport differs. */
export const pipeTraits: Traits = Object.freeze({
  lanes: 'shared',
  idScope: 'connection',
  serverInitiates: true,
  clientReplies: true,
  carriesHeaders: false,
  redialable: true,
  maxMessageBytes: 10 * 1024 * 1024,
});
