import type { Authorizer, AuthorizedRequest } from '../contract/contract.js';
import { type Outcome, TransportError } from '../contract/error.js';
import { clampTimeout } from '../base/timers.js';

/** How often a request is sent that the server does not authorize. */
const maxAttempts = 4;

/** The part of a response that decides whether a request is authorized. */
export interface AuthorizedResponse {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
}

/**
 * Sends a request with the headers of an authorizer, and again where the authorizer has new ones after a 401 or 403. Resolves with
 * the last response; `discard` was called for one that is 401 or 403. Rejects with UNAUTHORIZED where the authorizer rejects.
 */
export async function sendAuthorized<R extends AuthorizedResponse>(
  auth: Authorizer,
  target: AuthorizedRequest,
  send: (credentials: Readonly<Record<string, string>>) => Promise<R>,
  discard: (response: R) => void,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    const sent = await authorized(target, 'not-sent', () => auth.headers(target));
    const response = await send(sent);
    const { status, headers } = response;
    if (status !== 401 && status !== 403) return response;
    discard(response);
    const challenged = () => auth.challenged(target, { status, headers, sent, attempt });
    if (attempt === maxAttempts || !(await authorized(target, 'answered', challenged))) return response;
  }
}

async function authorized<T>(
  { url, server = url }: AuthorizedRequest,
  outcome: Outcome,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : typeof cause;
    // The query may hold a secret.
    const { origin, pathname } = new URL(server);
    throw new TransportError('UNAUTHORIZED', `${origin}${pathname} requires authorization: ${why}`, {
      outcome,
      cause,
    });
  }
}

/** Calls `late` after `ms` milliseconds, without the time in which an authorizer waits for a person. Returns what cancels it. */
export function connectTimeout(
  ms: number,
  auth: Pick<Authorizer, 'isWaiting'> | undefined,
  late: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (): void => {
    timer = setTimeout(() => (auth?.isWaiting() === true ? arm() : late()), clampTimeout(ms));
  };
  arm();
  return () => clearTimeout(timer);
}
