import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { pipeline } from 'node:stream';
import { relay } from './page/relayed-fetch.js';

/** The headers that pass, in both directions. What the browser adds, such as its cookies and its origin, stays here. */
const passing =
  /^(accept|authorization|content-(length|type)|last-event-id|location|mcp-.*|retry-after|www-authenticate)$/;

/**
 * Sends a request of the page to the server that it names, and the answer back as it arrives. Either side that ends the exchange ends it
 * at the other one. A server that cannot be reached is 502, with the code of the failure in a header. The status of a redirect is in a
 * header too, since a page sees nothing of one that it does not follow.
 */
export function relayRequest(request: IncomingMessage, response: ServerResponse): void {
  const named = String(request.headers[relay.url]);
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    response.writeHead(400).end(`the header ${relay.url} must be an http or https URL without a user name`);
    return;
  }
  const failed = (code: string): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { [relay.failure]: code }).end();
    outgoing.destroy();
  };
  const send = url.protocol === 'https:' ? secure : plain;
  // A kept connection may have been closed by a server that was restarted.
  const outgoing = send(url, {
    method: request.method ?? 'POST',
    headers: passed(request.headers),
    agent: false,
  });
  outgoing.on('response', (incoming) => {
    const { statusCode = 0 } = incoming;
    if (statusCode < 200 || statusCode > 599) return failed(`status ${String(statusCode)}`);
    const redirects = statusCode >= 300 && statusCode < 400;
    response.writeHead(redirects ? 200 : statusCode, {
      ...passed(incoming.headers),
      ...(redirects ? { [relay.redirect]: statusCode } : {}),
      'cache-control': 'no-store',
    });
    response.flushHeaders();
    pipeline(incoming, response, () => undefined);
  });
  outgoing.on('upgrade', () => failed('status 101'));
  outgoing.on('error', ({ code = 'ECONNRESET' }: NodeJS.ErrnoException) => failed(code));
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function passed(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passing.test(name)));
}
