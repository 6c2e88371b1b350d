/**
 * What a connection can carry. Core and the proof kit ask these and never a transport's name; advertised capabilities
 * are what is offered and what the traits allow.
 */
export interface Traits {
  /** `shared`: one lane for everything (a pipe, a socket). `per-request`: every request has a lane of its own (HTTP). */
  readonly lanes: 'shared' | 'per-request';
  /**
   * Where request ids, progress tokens and cancel look-ups are unique. The sides may differ: a served connection that answers
   * whoever calls has `lane`, while each caller counts its own ids and has `connection`.
   */
  readonly idScope: 'connection' | 'lane';
  /** The serving side can send without being asked: it has a standing stream. On the dialling side: it would hear it. */
  readonly serverInitiates: boolean;
  /** The dialling side can answer requests of the serving side. */
  readonly clientReplies: boolean;
  /** `Envelope.mirror` travels beside the body and has to match it. On the dialling side: wherever the revision asks for it. */
  readonly carriesHeaders: boolean;
  /** The protocol revisions this carrier has a binding for; absent = every one. */
  readonly versions?: readonly string[];
  /** The transport that dialled it can dial again after a loss. */
  readonly redialable: boolean;
  /** Largest message in either direction, in bytes. */
  readonly maxMessageBytes: number;
  /** Who is at the other end, where the whole connection belongs to one principal. `Arrival.principal` wins. */
  readonly principal?: string;
}

/** The traits of an ordinary two-way pipe; a carrier states where it differs. */
export const pipeTraits: Traits = Object.freeze({
  lanes: 'shared',
  idScope: 'connection',
  serverInitiates: true,
  clientReplies: true,
  carriesHeaders: false,
  redialable: true,
  maxMessageBytes: 10 * 1024 * 1024,
});
