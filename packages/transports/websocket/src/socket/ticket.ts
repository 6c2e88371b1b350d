import { notSentError, TransportError } from '@rxmcp/transport';
import { readText } from '@rxmcp/transport/internal';
import { describeUrl, httpAddress } from './handshake-options.js';

const maxBytes = 16_384;

/** The route where a page gets a ticket for the WebSocket at `url`. */
export const ticketAddress = (url: URL): string => {
  const route = new URL(httpAddress(url));
  route.search = '';
  return `${route.href.replace(/\/$/, '')}/ticket`;
};

/**
 * Gets the one-time ticket that a WebSocket of a page presents in place of `credentials`, or undefined of a server that gives none.
 * Rejects with UNAUTHORIZED for 401 and 403, with DIAL_FAILED otherwise.
 */
export async function ticketFor(
  url: URL,
  credentials: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const failed = (why: string, cause?: unknown): TransportError =>
    notSentError('DIAL_FAILED', `cannot get a ticket for ${describeUrl(url)}: ${why}`, cause);
  const response = await fetch(ticketAddress(url), {
    method: 'POST',
    headers: credentials,
    credentials: 'omit',
    redirect: 'error',
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted
      ? cause
      : failed('the request failed. Check the allowed origins of the server', cause);
  });
  const { status, headers } = response;
  const text = await readText(response, maxBytes, signal);
  if (status === 401 || status === 403) {
    const [challenge, nonce] = ['www-authenticate', 'dpop-nonce'].map((name) => headers.get(name));
    throw new TransportError('UNAUTHORIZED', `${describeUrl(url)} gives no ticket (${status})`, {
      outcome: 'not-sent',
      details: {
        status,
        ...(challenge === null ? {} : { challenge }),
        ...(nonce === null ? {} : { nonce }),
      },
    });
  }
  if (status === 404) return undefined;
  if (status !== 200) throw failed(`the server answered with status ${status}`);
  const ticket = ticketIn(text);
  if (ticket === undefined) throw failed('the response has no "ticket"');
  return ticket;
}

/** The ticket of a response, if it may be the name of a subprotocol. RFC 6455 section 4.1. */
function ticketIn(text: string): string | undefined {
  try {
    const { ticket } = Object(JSON.parse(text)) as { ticket?: unknown };
    return typeof ticket === 'string' && /^[\w.~-]+$/.test(ticket) ? ticket : undefined;
  } catch {
    return undefined;
  }
}
