import type { JsonObject } from 'rxmcp';
import type { Traits, Transport } from '@rxmcp/transport';
import type { ServerName } from './servers/index.js';

/** A fault of a server, as far as it travels. */
export interface ServerFault {
  readonly code: string;
  readonly message: string;
}

/** A server that is there to be dialled. */
export interface Place {
  readonly transport: Transport;
  /** What the server reported so far, in order. */
  readonly faults: readonly ServerFault[];
  close(): Promise<void>;
}

/** One row of the matrix: a transport with what it can carry, and how a named description is served over it. */
export interface Carrier {
  readonly name: string;
  readonly traits: Traits;
  serve(server: ServerName, options: JsonObject): Promise<Place>;
}
