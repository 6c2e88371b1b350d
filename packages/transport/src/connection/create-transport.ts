import type { Connection, DialOptions, Transport } from '../contract/contract.js';
import { notSentError, TransportError } from '../contract/error.js';
import { onAbort } from '../base/on-abort.js';
import { clampTimeout } from '../base/timers.js';

/** Options of {@link createTransport}. */
export interface CreateTransportOptions {
  /** How long a dial may take, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number;
}

/**
 * Creates a transport of a function that opens one connection. A dial rejects with `DIAL_ABORTED` when its signal is aborted, and with
 * `DIAL_FAILED` when the function rejects or takes longer than `connectTimeoutMs`. A connection that opens too late is closed.
 *
 * @param name The name of the transport in errors and logs.
 * @param open Opens a connection. Its signal is aborted when the dial ends without one: then it must release what it has opened.
 */
export function createTransport(
  name: string,
  open: (signal: AbortSignal) => Promise<Connection>,
  { connectTimeoutMs = 10_000 }: CreateTransportOptions = {},
): Transport {
  return { name, dial: ({ signal } = {}) => dial(name, open, connectTimeoutMs, signal) };
}

function dial(
  name: string,
  open: (signal: AbortSignal) => Promise<Connection>,
  connectTimeoutMs: number,
  signal: DialOptions['signal'],
): Promise<Connection> {
  const aborted = (): TransportError =>
    notSentError('DIAL_ABORTED', `the dial of "${name}" was aborted`, signal?.reason);
  if (signal?.aborted === true) return Promise.reject(aborted());
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    let isOver = false;
    const settle = (): void => {
      isOver = true;
      clearTimeout(timer);
      forget();
    };
    const fail = (error: TransportError): void => {
      if (isOver) return;
      settle();
      stop.abort(error);
      reject(error);
    };
    const forget = onAbort(signal, () => fail(aborted()));
    const timer = setTimeout(() => {
      const seconds = String(connectTimeoutMs / 1_000);
      fail(notSentError('DIAL_FAILED', `the dial of "${name}" failed: no connection within ${seconds} s`));
    }, clampTimeout(connectTimeoutMs));
    const opened = (connection: Connection): void => {
      if (isOver) return void connection.close().catch(() => undefined);
      settle();
      resolve(connection);
    };
    const failed = (cause: unknown): void => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const error = notSentError('DIAL_FAILED', `the dial of "${name}" failed: ${reason}`, cause);
      fail(TransportError.is(cause) ? cause : error);
    };
    try {
      open(stop.signal).then(opened, failed);
    } catch (cause) {
      failed(cause);
    }
  });
}
