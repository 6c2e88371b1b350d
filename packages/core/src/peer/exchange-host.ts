import type { Fault } from '../faults.js';
import type { Meter } from '../stats/stats.js';
import type { Exchange } from './exchange.js';
import type { BacklogWriter } from './backlog-writer.js';

/** What an exchange needs of the connection it belongs to. */
export interface ExchangeHost {
  readonly writer: BacklogWriter;
  /** Takes the exchange out of every table. */
  finished(exchange: Exchange): void;
  fault(fault: Fault): void;
  /** Who counts what goes on; undefined = nobody. */
  readonly meter?: Meter | undefined;
}
