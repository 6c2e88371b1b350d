import {
  type AuthorizedRequest,
  type Authorizer,
  type Channel,
  type Connection,
  createConnection,
  type DialOptions,
  type HeadersSource,
  notSentError,
  pipeTraits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';
import {
  connectTimeout,
  rejectUnknownOptions,
  sendAuthorized,
  untilAborted,
} from '@rxmcp/transport/internal';
import { parseAddress, requireSecure } from './parse-address.js';
import { describeUrl, type Sockets } from '../socket/handshake-options.js';
import { defaults, type WebSocketOptions } from '../channel/web-socket-options.js';

/** A transport over the sockets of a platform. */
export function createWebSocketTransport(
  sockets: Sockets,
  url: string | URL,
  options: WebSocketOptions,
): Transport {
  rejectUnknownOptions('webSocket', options, knownOptions, {
    dialMs: 'connectTimeoutMs',
    stallMs: 'writeTimeoutMs',
    authProvider: 'auth',
  });
  const { auth } = options;
  return {
    name: 'websocket',
    ...(auth === undefined ? {} : { isWaiting: () => auth.isWaiting(String(url)) }),
    dial: (dialOptions) => dial(sockets, url, options, dialOptions),
  };
}

const knownOptions: Record<keyof WebSocketOptions, true> = {
  headers: true,
  auth: true,
  ca: true,
  maxMessageBytes: true,
  connectTimeoutMs: true,
  writeTimeoutMs: true,
  heartbeatIntervalMs: true,
  dangerouslyAllowInsecureCredentials: true,
};

async function dial(
  sockets: Sockets,
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
  const { auth, ca } = options;
  const person = auth === undefined ? undefined : { isWaiting: () => auth.isWaiting(url.href) };
  const forget = connectTimeout(connectTimeoutMs, person, () => giving.abort(late(url, connectTimeoutMs)));
  const forward = (): void => giving.abort(aborted(signal));
  signal?.addEventListener('abort', forward);
  try {
    const attempt = async (credentials?: Readonly<Record<string, string>>): Promise<Channel> => {
      const headers = await headersOf(url, options.headers, giving.signal);
      if (options.dangerouslyAllowInsecureCredentials !== true)
        requireSecure(url, { ...headers, ...credentials });
      giving.signal.throwIfAborted();
      const limits = { maxMessageBytes, writeTimeoutMs, heartbeatIntervalMs };
      return sockets.open({ url, headers, credentials, ca, ...limits, signal: giving.signal });
    };
    const channel =
      auth === undefined
        ? await attempt()
        : await authorizedChannel(sockets.authorizedRequest(url), auth, attempt, giving.signal);
    const connection = createConnection(channel, { ...pipeTraits, maxMessageBytes });
    if (!giving.signal.aborted) return connection;
    await connection.close();
    throw giving.signal.reason;
  } catch (cause) {
    throw TransportError.from(cause, 'DIAL_FAILED');
  } finally {
    forget();
    signal?.removeEventListener('abort', forward);
  }
}

/** The details of an upgrade that is not authorized. */
interface Rejected {
  readonly status: number;
  readonly challenge?: string;
  readonly nonce?: string;
}

/** Opens a channel with the headers of an authorizer, and again where it has new ones after a 401 or 403. */
async function authorizedChannel(
  target: AuthorizedRequest,
  auth: Authorizer,
  attempt: (credentials: Readonly<Record<string, string>>) => Promise<Channel>,
  signal: AbortSignal,
): Promise<Channel> {
  const open = async (credentials: Readonly<Record<string, string>>) => {
    try {
      return { status: 101, headers: new Headers(), channel: await attempt(credentials) };
    } catch (error) {
      if (!TransportError.is(error) || error.code !== 'UNAUTHORIZED') throw error;
      const { status, challenge, nonce } = error.details as object as Rejected;
      const headers = new Headers();
      if (challenge !== undefined) headers.set('www-authenticate', challenge);
      if (nonce !== undefined) headers.set('dpop-nonce', nonce);
      return { status, headers, error };
    }
  };
  const opened = sendAuthorized(auth, target, open, () => undefined);
  const result = await untilAborted(opened, signal, (cause) => cause as Error);
  if (result.channel === undefined) throw result.error;
  return result.channel;
}

/** A function is waited for no longer than the dial may take. */
async function headersOf(
  url: URL,
  headers: HeadersSource = {},
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (typeof headers !== 'function') return headers;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([headers(), aborted]);
  } catch (cause) {
    if (signal.aborted) throw cause;
    // What was thrown may hold a token: it stays a cause and does not become the message.
    throw notSentError('DIAL_FAILED', `the headers for ${describeUrl(url)} could not be determined`, cause);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function aborted(signal: AbortSignal | undefined): TransportError {
  return notSentError('DIAL_ABORTED', 'the dial was aborted', signal?.reason);
}

function late(url: URL, connectTimeoutMs: number): TransportError {
  return notSentError(
    'DIAL_FAILED',
    `${describeUrl(url)} did not answer within ${connectTimeoutMs / 1_000} s`,
  );
}
