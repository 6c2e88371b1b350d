import { TransportError } from '@rxmcp/transport';
import {
  customHeaders,
  defaultFetch,
  redirectTarget,
  sendAuthorized,
  untilAborted,
} from '@rxmcp/transport/internal';
import type { SseOptions } from './options.js';

/** One request, without the headers of the caller. */
export interface RequestPlan {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const maxHops = 3;

/**
 * Makes one request with the caller's headers, asked anew. A redirect is followed within its origin only, so that no header
 * and no message leaves it. Rejects with a TransportError before anything was sent, and with what `fetch` rejects with.
 */
export function request(target: URL, plan: RequestPlan, options: SseOptions): Promise<Response> {
  const { auth } = options;
  if (auth === undefined) return send(target, plan, options, {});
  const response = sendAuthorized(
    auth,
    { method: plan.method, url: target.href },
    (credentials) => send(target, plan, options, credentials),
    discard,
  );
  return untilAborted(response, plan.signal, (cause) => {
    response.then(discard).catch(() => undefined);
    return cause as Error;
  });
}

function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

async function send(
  target: URL,
  plan: RequestPlan,
  options: SseOptions,
  credentials: Readonly<Record<string, string>>,
): Promise<Response> {
  const hasOwn = options.headers !== undefined || options.auth !== undefined;
  let { headers }: { headers: HeadersInit } = plan;
  if (hasOwn) {
    headers = await customHeaders(target, options, credentials);
    for (const [name, value] of Object.entries(plan.headers)) headers.set(name, value);
  }
  const fetch = options.fetch ?? defaultFetch;
  let url = target;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url.href, { ...plan, headers, redirect: 'manual', cache: 'no-store' });
    // A page cannot read the target of a redirect.
    if (response.type === 'opaqueredirect')
      throw redirected(url, 'elsewhere, which a page cannot follow', response);
    const next = redirectTarget(response, url, plan.method);
    if (next === undefined) return response;
    if (next.origin !== url.origin || hops === maxHops) {
      await response.body?.cancel();
      throw redirected(
        url,
        hops === maxHops ? 'too often' : `to "${next.origin}", which is not followed`,
        response,
      );
    }
    await response.body?.cancel();
    url = next;
  }
}

function redirected({ host }: URL, why: string, { status }: Response): TransportError {
  return new TransportError('DIAL_FAILED', `the server at "${host}" redirects ${why}`, {
    ...(status === 0 ? {} : { details: { status } }),
  });
}
