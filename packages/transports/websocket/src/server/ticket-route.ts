import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  cors,
  type Guard,
  type GuardAllowed,
  type GuardDenied,
  type GuardOptions,
} from '@rxmcp/transport/guard';
import { bare, busy, complain, json, reject } from '@rxmcp/transport/internal';
import { NodeExchange } from '@rxmcp/transport/node/internal';
import { type Tickets, ticketSeconds } from './tickets.js';

const allow = 'POST, OPTIONS';

/** Serves the route where pages get tickets, behind the guard of the upgrade. */
export function ticketRoute(
  tickets: Tickets,
  judge: Guard,
  { allowedOrigins }: GuardOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const headersOf = allowedOrigins === undefined ? undefined : cors({ allowedOrigins });
  const respond = (exchange: NodeExchange, found: GuardAllowed | GuardDenied): void => {
    const { head } = exchange;
    exchange.extra = headersOf?.(head);
    if ('status' in found) return reject(exchange, found);
    if (head.method === 'OPTIONS') return exchange.respond(204, bare);
    if (head.method !== 'POST')
      return complain(exchange, {
        status: 405,
        message: `only ${allow} are served here`,
        headers: { allow },
      });
    if (found.principal === undefined)
      return complain(exchange, { status: 404, message: 'tickets need a server with "authenticate"' });
    const ticket = tickets.issue(found, head.headerValues('origin')[0]);
    if (ticket === undefined) return busy(exchange, 'too many tickets are open');
    const headers = { ...json, 'cache-control': 'no-store' };
    exchange.respond(200, headers, JSON.stringify({ ticket, expires_in: ticketSeconds }));
  };
  return (request, response) => {
    const exchange = new NodeExchange(request, response);
    const found = judge(exchange.head);
    if ('then' in found) void found.then((later) => respond(exchange, later));
    else respond(exchange, found);
    exchange.entered();
  };
}
