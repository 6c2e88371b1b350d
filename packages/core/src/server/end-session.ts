import { RxmcpError } from '../base/errors.js';
import { legacyServed } from '../eras/legacy/index.js';
import { modernServed } from '../eras/modern/index.js';
import type { EraConnection } from '../eras/served.js';
import type { RequestAdmission } from '../peer/admission.js';
import type { InFlight } from '../peer/in-flight.js';

/** What is ended of a connection: its requests and its subscriptions. */
interface EndableConnection extends EraConnection {
  readonly inFlight: InFlight;
  readonly admission: RequestAdmission;
}

/** Cancels all requests of a connection, those that wait included, and ends its subscriptions. No response is sent. */
export function cancelAll(connection: EndableConnection, reason: () => Error): void {
  connection.admission.close();
  for (const exchange of connection.inFlight.all()) exchange.cancel(reason());
  modernServed.endFeeds(connection);
  legacyServed.endFeeds(connection);
}

/** Ends what the last client of a pipe left. Nothing more is sent for it: the next client may use the same ids. */
export function endSession(connection: EndableConnection): void {
  const message = 'another "initialize" on this pipe started a new session';
  cancelAll(connection, () => new RxmcpError('CANCELLED', message, { outcome: 'unknown' }));
  connection.notices.forget('', undefined);
  releaseSession(connection);
  connection.legacy = undefined;
}

/** Releases the memory that the handshake of a connection is charged for. */
export function releaseSession({ memory, holder, legacy }: EraConnection): void {
  if (legacy !== undefined) memory.release(holder, legacy.heldBytes);
}
