import type { Connection, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { refTimer } from '../base/clock.js';
import { RxmcpError } from '../base/errors.js';
import { open, probeKilled } from '../eras/select.js';
import type { ClientCore } from './client-definition.js';
import type { SessionOwner } from './session.js';
import { Session } from './session.js';

/** Options of one opening. */
export interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** The budget of the whole opening, in milliseconds. */
  readonly timeoutMs: number;
}

/** Dials and opens a session, probing and falling back as needed. Leaves nothing behind when it fails; a close that outlasts the caller goes on by itself. */
export async function openSession(
  core: ClientCore,
  transport: Transport,
  owner: SessionOwner,
  options: OpenOptions,
): Promise<Session> {
  const limit = new AbortController();
  const alarm = refTimer(() => {
    const message = `"${transport.name}" was not connected within ${options.timeoutMs} ms`;
    limit.abort(new RxmcpError('TIMEOUT', message, { retryable: true }));
  }, options.timeoutMs);
  const given = options.signal;
  const aborted = (): void =>
    limit.abort(
      given?.reason instanceof Error ? given.reason : new RxmcpError('CANCELLED', 'connecting was aborted'),
    );
  if (given?.aborted === true) aborted();
  given?.addEventListener('abort', aborted);
  try {
    try {
      return await attempt(core, transport, owner, limit.signal, false);
    } catch (error) {
      // Some older servers leave when they are probed: a new one is greeted in their own way.
      if ((error as unknown) !== probeKilled) throw error;
      return await attempt(core, transport, owner, limit.signal, true);
    }
  } finally {
    clearTimeout(alarm);
    given?.removeEventListener('abort', aborted);
  }
}

async function attempt(
  core: ClientCore,
  transport: Transport,
  owner: SessionOwner,
  signal: AbortSignal,
  handshakeOnly: boolean,
): Promise<Session> {
  let connection: Connection;
  try {
    connection = await unless(signal, transport.dial({ signal }));
  } catch (error) {
    // The reason of the abort says more than the dial that it ended.
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
    await left(connection, signal);
    throw error;
  }
}

// Those who write plain JavaScript hear what they forgot, and not of a property of undefined.
function isConnection(given: Partial<Connection> | null | undefined): boolean {
  return typeof given?.start === 'function' && given.traits !== undefined;
}

// Waits for the close, but no longer than the caller does: after that it goes on by itself.
async function left(connection: Connection, signal: AbortSignal): Promise<void> {
  // Why the opening failed says more than a close that fails too.
  const closed = (async () => connection.close())().catch(() => undefined);
  await untilAborted(signal, closed).catch(() => undefined);
}

// A dial that ignores its signal must not hold up its caller; what it yields later is closed.
async function unless(signal: AbortSignal, dialled: Promise<Connection>): Promise<Connection> {
  try {
    return await untilAborted(signal, dialled);
  } catch (error) {
    dialled.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let aborted: () => void = () => undefined;
  const reason = new Promise<never>((_resolve, reject) => {
    aborted = () => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted);
  });
  try {
    return await Promise.race([reason, work]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

// While it opens, a session's notices go nowhere and its end is the opening's own affair.
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
