import type { Connection, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { onAbort, untilAborted } from '@rxmcp/transport/internal';
import { refTimer } from '../../base/clock.js';
import { describeValue } from '../../base/message-text.js';
import { RxmcpError } from '../../base/errors.js';
import { open, probeKilled } from '../../eras/select.js';
import type { ClientCore } from '../client-definition.js';
import type { SessionOwner } from './session.js';
import { Session } from './session.js';

/** Configures one opening. */
export interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest time of the whole opening, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Dials and opens a session; probes for the modern era and falls back if needed. Closes the connection if it fails;
 * a close that takes longer than the time limit continues in the background.
 */
export async function openSession(
  core: ClientCore,
  transport: Transport,
  owner: SessionOwner,
  options: OpenOptions,
): Promise<Session> {
  const limit = new AbortController();
  const late = (): void => {
    if (transport.isWaiting?.() === true) {
      alarm = refTimer(late, options.timeoutMs);
      return;
    }
    const message = `"${transport.name}" was not connected within ${options.timeoutMs} ms`;
    limit.abort(new RxmcpError('TIMEOUT', message, { retryable: true }));
  };
  let alarm = refTimer(late, options.timeoutMs);
  const given = options.signal;
  const aborted = (): void =>
    limit.abort(
      given?.reason instanceof Error ? given.reason : new RxmcpError('CANCELLED', 'connecting was aborted'),
    );
  if (given?.aborted === true) aborted();
  const forget = onAbort(given, aborted);
  try {
    try {
      return await attempt(core, transport, owner, limit.signal, false);
    } catch (error) {
      // Some older servers exit when they are probed. The second attempt starts with the handshake.
      if ((error as unknown) !== probeKilled) throw error;
      return await attempt(core, transport, owner, limit.signal, true);
    }
  } finally {
    clearTimeout(alarm);
    forget();
  }
}

async function attempt(
  core: ClientCore,
  transport: Transport,
  owner: SessionOwner,
  signal: AbortSignal,
  handshakeOnly: boolean,
): Promise<Session> {
  if (typeof (transport as Partial<Transport> | null | undefined)?.dial !== 'function')
    throw new TypeError(
      `client.connect: expected a transport, got ${describeValue(transport)}: for a URL use transportFor(url) of "rxmcp/url"`,
    );
  let connection: Connection;
  try {
    connection = await unless(signal, transport.dial({ signal }));
  } catch (error) {
    // The reason of the abort says more than the error of the dial.
    if (signal.aborted) throw signal.reason;
    throw TransportError.from(error, 'DIAL_FAILED', { outcome: 'not-sent', retryable: true });
  }
  if (!isConnection(connection))
    throw new TypeError(`the dial of "${transport.name}" returned no connection`);
  const session = new Session(core, connection, opening(owner));
  try {
    await open(session, { handshakeOnly, signal });
    return session;
  } catch (error) {
    await closeQuietly(connection, signal);
    throw error;
  }
}

// Reports a wrong transport of plain JavaScript by name instead of as a property of undefined.
function isConnection(given: Partial<Connection> | null | undefined): boolean {
  return typeof given?.start === 'function' && given.traits !== undefined;
}

// Waits for the close until the signal aborts. After that the close continues in the background.
async function closeQuietly(connection: Connection, signal: AbortSignal): Promise<void> {
  // The error of the opening says more than one of the close.
  const closed = (async () => connection.close())().catch(() => undefined);
  await untilAborted(closed, signal, toError).catch(() => undefined);
}

// A dial that ignores its signal must not delay the caller. A connection that it returns later is closed.
async function unless(signal: AbortSignal, dialled: Promise<Connection>): Promise<Connection> {
  try {
    return await untilAborted(dialled, signal, toError);
  } catch (error) {
    dialled.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

const toError = (reason: unknown): Error => reason as Error;

// The owner is not notified of the end while the session opens: the opening itself fails then.
function opening(owner: SessionOwner): SessionOwner {
  return {
    fault: (fault) => owner.fault(fault),
    get wire() {
      return owner.wire;
    },
    notification: (session, method, params, lane) => owner.notification(session, method, params, lane),
    over: () => undefined,
  };
}
