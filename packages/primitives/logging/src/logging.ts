import { type Call, type LogLevel, type LogRecord, type Offer, type Remote, RxmcpError } from '@rxmcp/core';
import { perRemote, failedCall, defineServerOffer, logLevels as levels } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';

/** The severities of syslog, from the least to the most severe (RFC 5424). */
export const logLevels: readonly LogLevel[] = levels;

/** The log of a server, seen from a client. */
export interface Logging {
  /**
   * Log records of all calls, as they arrive; `lost` of a record is the number of records that were dropped before it. A server
   * without the `logging` capability sends none.
   * @stream event
   */
  readonly records$: Observable<LogRecord>;
  /**
   * Requests records of at least this level from now on: once for the whole connection up to 2025-11-25, with each later
   * call since 2026-07-28. Errors with TypeError for an unknown level, and with CAPABILITY_NOT_SUPPORTED if the server does not log.
   * @stream call
   */
  setLevel(level: LogLevel): Call<void>;
}

/**
 * Offers logging: the server then sends records of `ctx.log()` and emitted log records to clients that requested their level.
 * Without this offer no record is sent.
 * @see Spec 2026-07-28 server/utilities/logging
 */
export function offerLogging(): Offer {
  return defineServerOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
}

/** Returns the log of a server; made once per remote. */
export const logging: (remote: Remote) => Logging = perRemote((inner) => ({
  records$: inner.records$,
  setLevel(level) {
    if (!logLevels.includes(level)) {
      return failedCall(new TypeError(`"${String(level)}" is not a log level: use ${logLevels.join(', ')}`));
    }
    if (!inner.has('logging')) {
      return failedCall(
        new RxmcpError('CAPABILITY_NOT_SUPPORTED', 'this server does not log to its clients'),
      );
    }
    return inner.setLogLevel(level);
  },
}));
