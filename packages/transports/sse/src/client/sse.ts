import type { TransportError } from '@rxmcp/transport';
import {
  type Authorizer,
  type Connection,
  createConnection,
  type DialOptions,
  notSentError,
  type Transport,
} from '@rxmcp/transport';
import { connectTimeout, hasCredentials, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { defaultMaxMessageBytes, sseTraits } from '../binding/traits.js';
import { ClientChannel } from './client-channel.js';
import { SessionStream, type StreamEndpoint } from './session-stream.js';
import type { SseOptions } from './options.js';

/**
 * Speaks HTTP+SSE to the server whose stream is at `url`. Each dial opens a session, which lives as long as its stream.
 * A dial fails with `DIAL_FAILED`, `UNAUTHORIZED` or `DIAL_ABORTED`.
 * MCP 2024-11-05, basic, transports, HTTP with SSE.
 * @throws TypeError for what is no http or https address
 */
export function sse(url: string | URL, options: SseOptions = {}): Transport {
  rejectUnknownOptions('sse', options, knownOptions, alike);
  const target = addressOf(url);
  const { auth } = options;
  return {
    name: 'sse',
    ...(auth === undefined ? {} : { isWaiting: () => auth.isWaiting(target.href) }),
    dial: (dialOptions) => dial(target, options, dialOptions),
  };
}

const knownOptions: Record<keyof SseOptions, true> = {
  headers: true,
  auth: true,
  fetch: true,
  eventSource: true,
  maxMessageBytes: true,
  maxEventBytes: true,
  connectTimeoutMs: true,
  writeTimeoutMs: true,
  dangerouslyAllowInsecureCredentials: true,
};
const alike = {
  dialMs: 'connectTimeoutMs',
  stallMs: 'writeTimeoutMs',
  requestInit: 'headers',
  eventSourceInit: 'headers',
  authProvider: 'auth',
};

async function dial(url: URL, given: SseOptions, { signal }: DialOptions = {}): Promise<Connection> {
  if (signal?.aborted === true) throw aborted(url, signal);
  const { auth } = given;
  const options = auth === undefined ? given : { ...given, auth: authorizerOf(auth, url) };
  const stream = new SessionStream(url, options);
  let opening: StreamEndpoint;
  try {
    opening = await openedInTime(stream, url, options, signal);
  } catch (error) {
    stream.close();
    throw error;
  }
  const { maxMessageBytes = defaultMaxMessageBytes } = options;
  return createConnection(
    (sink) => new ClientChannel(sink, stream, opening, options),
    sseTraits({ maxMessageBytes }),
  );
}

/** Posts go to another URL than that of the server, which the tokens are for. */
function authorizerOf(auth: Authorizer, { href: server }: URL): Authorizer {
  return {
    headers: (request) => auth.headers({ ...request, server }),
    challenged: (request, response) => auth.challenged({ ...request, server }, response),
    isWaiting: () => auth.isWaiting(server),
  };
}

function openedInTime(
  stream: SessionStream,
  url: URL,
  { connectTimeoutMs = 10_000, auth }: SseOptions,
  signal: AbortSignal | undefined,
): Promise<StreamEndpoint> {
  return new Promise((resolve, reject) => {
    const forget = connectTimeout(connectTimeoutMs, auth, () => {
      const message = `the server at "${url.host}" sent no "endpoint" event within ${connectTimeoutMs / 1_000} s`;
      settle();
      reject(notSentError('DIAL_FAILED', message));
    });
    const unwanted = (): void => {
      settle();
      reject(aborted(url, signal));
    };
    const settle = (): void => {
      forget();
      signal?.removeEventListener('abort', unwanted);
    };
    signal?.addEventListener('abort', unwanted);
    stream.opened.then(resolve, reject).finally(settle);
  });
}

/** Neither the user part nor the query of an address is ever shown: either may hold a secret. */
function addressOf(url: string | URL): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('"url" must be an http or https address');
  }
  if (hasCredentials(parsed)) {
    throw new TypeError(`"url" must hold no credentials: pass them in "headers" ("${parsed.host}")`);
  }
  return parsed;
}

function aborted({ host }: URL, signal: AbortSignal | undefined): TransportError {
  return notSentError('DIAL_ABORTED', `the dial of "${host}" was aborted`, signal?.reason);
}
