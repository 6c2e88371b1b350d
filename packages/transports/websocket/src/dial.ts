import {
  type Connection,
  connectionOf,
  type DialOptions,
  notSent,
  pipeTraits,
  timerMs,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { addressOf, refuseInsecure } from './address.js';
import { type OpenSocket, shownUrl } from './socket/opening.js';
import { defaults, type WebSocketHeaders, type WebSocketOptions } from './web-socket-options.js';

/** A transport over the sockets that `open` opens. */
export function dialling(open: OpenSocket, url: string | URL, options: WebSocketOptions): Transport {
  return { name: 'websocket', dial: (dialOptions) => dial(open, url, options, dialOptions) };
}

async function dial(
  open: OpenSocket,
  address: string | URL,
  options: WebSocketOptions,
  { signal }: DialOptions = {},
): Promise<Connection> {
  if (signal?.aborted === true) throw aborted(signal);
  const url = addressOf(address);
  const { maxMessageBytes = defaults.maxMessageBytes, dialMs = defaults.dialMs } = options;
  const { stallMs = defaults.stallMs, heartbeatMs = defaults.heartbeatMs } = options;
  const giving = new AbortController();
  const timer = setTimeout(() => giving.abort(late(url, dialMs)), timerMs(dialMs));
  const forward = (): void => giving.abort(aborted(signal));
  signal?.addEventListener('abort', forward);
  try {
    const headers = await headersOf(url, options.headers, giving.signal);
    if (options.dangerouslyAllowInsecureCredentials !== true) refuseInsecure(url, headers);
    giving.signal.throwIfAborted();
    const { ca } = options;
    const carrier = await open({
      url,
      headers,
      ca,
      maxMessageBytes,
      stallMs,
      heartbeatMs,
      signal: giving.signal,
    });
    const connection = connectionOf(carrier, { ...pipeTraits, maxMessageBytes });
    if (!giving.signal.aborted) return connection;
    await connection.close();
    throw giving.signal.reason;
  } catch (cause) {
    throw TransportError.from(cause, 'DIAL_FAILED');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

/** A function is waited for no longer than the dial may take. */
async function headersOf(
  url: URL,
  headers: WebSocketHeaders = {},
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (typeof headers !== 'function') return headers;
  let giveUp = (): void => undefined;
  const gone = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([headers(), gone]);
  } catch (cause) {
    if (signal.aborted) throw cause;
    // What was thrown may hold a token: it stays a cause and does not become the message.
    throw notSent('DIAL_FAILED', `The headers for ${shownUrl(url)} could not be had.`, cause);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function aborted(signal: AbortSignal | undefined): TransportError {
  return notSent('DIAL_ABORTED', 'The dial was aborted.', signal?.reason);
}

function late(url: URL, dialMs: number): TransportError {
  return notSent('DIAL_FAILED', `${shownUrl(url)} did not answer within ${String(dialMs / 1_000)} s.`);
}
