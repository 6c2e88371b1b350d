import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { RequestHead } from '../guard/host-and-origin.js';

/** Returns the head of a Node request, for a guard. */
export function requestHead(request: IncomingMessage): RequestHead {
  return new NodeHead(request);
}

class NodeHead implements RequestHead {
  constructor(private readonly request: IncomingMessage) {}

  get method(): string {
    return this.request.method ?? '';
  }

  get target(): string {
    // Frameworks that mount a handler under a path shorten `url` and keep the original in `originalUrl`.
    return (this.request as { originalUrl?: string }).originalUrl ?? this.request.url ?? '';
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

const none: readonly string[] = Object.freeze([]);
