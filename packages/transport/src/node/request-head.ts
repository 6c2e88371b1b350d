import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { RequestHead } from '../guard/host-and-origin.js';

/** What a guard sees of a request of Node. */
export function requestHead(request: IncomingMessage): RequestHead {
  return new NodeHead(request);
}

class NodeHead implements RequestHead {
  constructor(private readonly request: IncomingMessage) {}

  get method(): string {
    return this.request.method ?? '';
  }

  get target(): string {
    // Frameworks that mount a handler under a path shorten `url` and keep what came here.
    return (this.request as { originalUrl?: string }).originalUrl ?? this.request.url ?? '';
  }

  get secure(): boolean {
    return (this.request.socket as Partial<TLSSocket>).encrypted === true;
  }

  headerValues(name: string): readonly string[] {
    // `headers` keeps the first of two Host headers and forgets that there was another.
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
