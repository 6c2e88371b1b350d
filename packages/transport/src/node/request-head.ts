import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HeaderDenial, RequestHead } from '../guard/host-and-origin.js';
import { holderName } from '../memory/memory-budget.js';

/** Returns the head of a Node request, for a guard. */
export function requestHead(request: IncomingMessage): RequestHead {
  return new NodeHead(request);
}

/** The headers that a request may have once. Node keeps one value of some of them, and joins the values of others. */
const single: readonly string[] = [
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
];

/** How many headers of a request Node keeps where `maxHeadersCount` of its server is not set; its documentation says 2,000. */
const nodeMaxHeaders = 1_000;

/** A number for a name in any case. Only two of the names in {@link single} could have the same, and none have. */
function shapeOf(name: string): number {
  return name.length * 32 + (name.charCodeAt(0) & 31);
}

/** The place of each of the names, from 1, by its number, 0 for others: each header of each request is looked up. */
const places = new Uint8Array(1_024);
single.forEach((name, at) => (places[shapeOf(name)] = at + 1));

class NodeHead implements RequestHead {
  constructor(private readonly request: IncomingMessage) {}

  get denial(): HeaderDenial | undefined {
    const { method, rawHeaders, socket } = this.request;
    // The stream that it opens would keep a body that it never reads, and Node notices no disconnect behind it.
    if (method === 'GET' && hasBody(this.request)) return bodyOfGet;
    const { server } = socket as { server?: { maxHeadersCount?: number | null } };
    const most = server?.maxHeadersCount ?? nodeMaxHeaders;
    // Node drops further headers without a sign, and `Host`, `Origin` or credentials may be among them.
    if (most > 0 && rawHeaders.length >= 2 * most) return tooMany(most);
    let seen = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at] as string;
      // Longer names are beyond the end.
      const place = places[shapeOf(raw)] ?? 0;
      // Another name may have the same number.
      if (place === 0 || raw.toLowerCase() !== single[place - 1]) continue;
      const bit = 1 << place;
      if ((seen & bit) !== 0) return repeated;
      seen |= bit;
    }
    return undefined;
  }

  get method(): string {
    return this.request.method ?? '';
  }

  get target(): string {
    // Frameworks that mount a handler under a path shorten `url` and keep the original in `originalUrl`.
    return (this.request as { originalUrl?: string }).originalUrl ?? this.request.url ?? '';
  }

  get remoteAddress(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  get connection(): object {
    return this.request.socket;
  }

  get secure(): boolean {
    return (this.request.socket as Partial<TLSSocket>).encrypted === true;
  }

  headerValues(name: string): readonly string[] {
    // `headers` has only the first of two Host headers, `rawHeaders` has both.
    const { rawHeaders } = this.request;
    let found: string[] | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at] as string;
      if (raw.length === name.length && raw.toLowerCase() === name) {
        (found ??= []).push(rawHeaders[at + 1] as string);
      }
    }
    return found ?? none;
  }
}

function tooMany(most: number): HeaderDenial {
  return { status: 431, message: `a request must have fewer than ${String(most)} headers` };
}

const repeated: HeaderDenial = {
  status: 400,
  message: `a header occurs twice that may occur once: ${single.join(', ')}`,
};
const bodyOfGet: HeaderDenial = {
  status: 400,
  message: 'a GET request must not have a body',
  headers: { connection: 'close' },
};
const none: readonly string[] = Object.freeze([]);

/** Returns whether a request has a body, as its headers declare it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The names of sockets whose callers are anonymous: a string that is made once is hashed once. */
const addressHolders = new WeakMap<Socket, string>();

/** Names the address of a socket, as the holder of what an anonymous caller sends. */
export function addressHolder(socket: Socket): string {
  let name = addressHolders.get(socket);
  if (name === undefined) addressHolders.set(socket, (name = holderName(undefined, socket.remoteAddress)));
  return name;
}
