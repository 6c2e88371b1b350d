import type { LogLevel, LogRecord } from '@rxmcp/core';
import type { Observable } from 'rxjs';

export type { LogLevel, LogRecord } from '@rxmcp/core';

/** The log of a server, seen from a client. */
export interface Logging {
  /**
   * Records of all calls as they arrive; a record says in `lost` how many were dropped before it. A server without the
   * `logging` capability sends none.
   * @stream event
   */
  readonly records$: Observable<LogRecord>;
  /**
   * Asks for records of at least this level from now on: once for the whole connection up to 2025-11-25, with each later
   * call since 2026-07-28. Errors with TypeError for an unknown level and CAPABILITY_ABSENT where the server has no log.
   * @stream call
   */
  setLevel(level: LogLevel): Observable<void>;
}
