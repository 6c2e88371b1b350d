import {
  type Connection,
  createConnection,
  type DialOptions,
  type HeadersSource,
  notSentError,
  pipeTraits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import { clampTimeout, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { parseAddress, requireSecure } from './parse-address.js';
import { type OpenChannel, describeUrl } from './socket/handshake-options.js';
import { defaults, type WebSocketOptions } from './web-socket-options.js';

/** A transport over the sockets that `open` opens. */
export function createWebSocketTransport(
  open: OpenChannel,
  url: string | URL,
  options: WebSocketOptions,
): Transport {
  rejectUnknownOptions('webSocket', options, knownOptions, {
    dialMs: 'connectTimeoutMs',
    stallMs: 'writeTimeoutMs',
    auth: 'headers',
  });
  return { name: 'websocket', dial: (dialOptions) => dial(open, url, options, dialOptions) };
}

const knownOptions: Record<keyof WebSocketOptions, true> = {
  headers: true,
  ca: true,
  maxMessageBytes: true,
  connectTimeoutMs: true,
  writeTimeoutMs: true,
  heartbeatIntervalMs: true,
  dangerouslyAllowInsecureCredentials: true,
};

async function dial(
  open: OpenChannel,
  address: string | URL,
  options: WebSocketOptions,
  { signal }: DialOptions = {},
): Promise<Connection> {
  if (signal?.aborted === true) throw aborted(signal);
  const url = parseAddress(address);
  const { maxMessageBytes = defaults.maxMessageBytes, connectTimeoutMs = defaults.connectTimeoutMs } =
    options;
  const { writeTimeoutMs = defaults.writeTimeoutMs, heartbeatIntervalMs = defaults.heartbeatIntervalMs } =
    options;
  const giving = new AbortController();
  const timer = setTimeout(() => giving.abort(late(url, connectTimeoutMs)), clampTimeout(connectTimeoutMs));
  const forward = (): void => giving.abort(aborted(signal));
  signal?.addEventListener('abort', forward);
  try {
    const headers = await headersOf(url, options.headers, giving.signal);
    if (options.dangerouslyAllowInsecureCredentials !== true) requireSecure(url, headers);
    giving.signal.throwIfAborted();
    const { ca } = options;
    const channel = await open({
      url,
      headers,
      ca,
      maxMessageBytes,
      writeTimeoutMs,
      heartbeatIntervalMs,
      signal: giving.signal,
    });
    const connection = createConnection(channel, { ...pipeTraits, maxMessageBytes });
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
  headers: HeadersSource = {},
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
    throw notSentError('DIAL_FAILED', `the headers for ${describeUrl(url)} could not be determined`, cause);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function aborted(signal: AbortSignal | undefined): TransportError {
  return notSentError('DIAL_ABORTED', 'the dial was aborted', signal?.reason);
}

function late(url: URL, connectTimeoutMs: number): TransportError {
  return notSentError(
    'DIAL_FAILED',
    `${describeUrl(url)} did not answer within ${String(connectTimeoutMs / 1_000)} s`,
  );
}
