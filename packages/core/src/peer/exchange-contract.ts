import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type { Outgoing, Refusal } from '@rxmcp/transport';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { LogLevel } from '../contract/items.js';
import type { Meter } from '../contract/stats.js';
import type { Exchange } from './exchange.js';
import type { Writer } from './writer.js';

/** What an exchange needs of the connection it belongs to. */
export interface ExchangeHost {
  readonly writer: Writer;
  /** Takes the exchange out of every table. */
  finished(exchange: Exchange): void;
  fault(fault: Fault): void;
  /** Who counts what goes on; undefined = nobody. */
  readonly meter?: Meter | undefined;
}

/** What a request says about itself, read once. */
export interface Claim {
  readonly version: string;
  readonly caller: Caller;
  readonly meta: JsonObject;
  readonly progressToken: Id | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** How a failure travels, and whether it refuses the request. */
export interface Failure {
  readonly out: Outgoing;
  readonly refusal?: Refusal | undefined;
}
