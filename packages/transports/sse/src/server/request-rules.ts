import { type Complaint, isJson, isPlain, takesEvents } from '@rxmcp/transport/guard';
import type { HttpExchange } from '@rxmcp/transport/guard';

/** Why a request for the stream is refused, if it is. A client that says nothing of what it accepts takes what it gets. */
export function refuseGet(exchange: HttpExchange): Complaint | undefined {
  if (exchange.head.method !== 'GET') return notAllowed('GET');
  const accept = exchange.header('accept')?.trim() ?? '';
  if (accept === '' || takesEvents(accept)) return undefined;
  return { status: 406, message: 'the stream is text/event-stream, which "Accept" does not name' };
}

/** Why a posted message is refused before its body is read, if it is. */
export function refusePost(exchange: HttpExchange): Complaint | undefined {
  if (exchange.head.method !== 'POST') return notAllowed('POST');
  if (!isJson(exchange.header('content-type'))) {
    return { status: 415, message: 'a message must be application/json in UTF-8' };
  }
  if (isPlain(exchange.header('content-encoding'))) return undefined;
  return { status: 415, message: 'a message must not be compressed' };
}

/** The id of a session in the target of a request; undefined where there is none, or more than one. */
export function sessionIdOf(target: string): string | undefined {
  const at = target.indexOf('?');
  if (at < 0) return undefined;
  const found = new URLSearchParams(target.slice(at)).getAll('sessionId');
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

function notAllowed(allowed: string): Complaint {
  return {
    status: 405,
    message: `only ${allowed} is served here`,
    headers: { allow: `${allowed}, OPTIONS` },
  };
}
