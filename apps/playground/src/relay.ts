import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { pipeline } from 'node:stream';
import { relay } from './page/relayed-fetch.js';

/** The headers that pass, in both directions. What the browser adds, such as its cookies and its origin, stays here. */
const passing =
  /^(accept|authorization|content-type|last-event-id|location|mcp-.*|retry-after|www-authenticate)$/;

/**
 * Sends a request of the page to the server that it names, and the answer back as it arrives. Either side that ends the exchange ends it
 * at the other one. A server that cannot be reached is 502, with the code of the failure in a header.
 */
export function relayRequest(request: IncomingMessage, response: ServerResponse): void {
  const url = String(request.headers[relay.url]);
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    response.writeHead(400).end(`the header ${relay.url} must be an http or https URL`);
    return;
  }
  const send = url.startsWith('https:') ? secure : plain;
  // A kept connection may have been closed by a server that was restarted.
  const outgoing = send(url, {
    method: request.method ?? 'POST',
    headers: passed(request.headers),
    agent: false,
  });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, {
      ...passed(incoming.headers),
      'cache-control': 'no-store',
    });
    response.flushHeaders();
    pipeline(incoming, response, () => undefined);
  });
  outgoing.on('error', ({ code = 'ECONNRESET' }: NodeJS.ErrnoException) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { [relay.failure]: code }).end();
  });
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function passed(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passing.test(name)));
}
