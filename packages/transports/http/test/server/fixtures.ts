import { fetchHandler } from '../../src/fetch.js';
import { serveHttp, type HttpHandlerOptions } from '../../src/node.js';
import type { DrainOptions } from '@rxmcp/transport';
import { post, request } from './calls.js';
import { Desk } from './desk.js';

/** One served endpoint, whatever carries it. */
export interface Rig {
  readonly desk: Desk;
  ask(init?: RequestInit): Promise<Response>;
  drain(options?: DrainOptions): Promise<void>;
  close(): Promise<void>;
}

/** The ways of serving, each tried by the same tests. */
export const rigs: readonly {
  readonly name: string;
  serve(options?: HttpHandlerOptions, desk?: Desk): Promise<Rig>;
}[] = [
  {
    name: 'on node:http',
    async serve(options = {}, desk = new Desk()) {
      const handle = await serveHttp(desk, options);
      return {
        desk,
        ask: (init) => fetch(handle.url, init),
        drain: (drainOptions) => handle.drain(drainOptions),
        close: () => handle.close(),
      };
    },
  },
  {
    name: 'on requests of the web',
    async serve(options = {}, desk = new Desk()) {
      const handler = fetchHandler(desk, options);
      return {
        desk,
        ask: (init) => handler(new Request('http://localhost/mcp', init)),
        drain: handler.drain,
        close: handler.close,
      };
    },
  },
];

/** Makes a handshake; returns the headers that every later request must carry. */
export async function greet(
  rig: Rig,
  version = '2025-11-25',
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const response = await rig.ask(
    post(request('initialize', { protocolVersion: version, capabilities: {} }), headers),
  );
  await response.text();
  const id = response.headers.get('mcp-session-id');
  if (response.status !== 200 || id === null) throw new Error(`no session: ${String(response.status)}`);
  const named = version >= '2025-06-18' ? { 'mcp-protocol-version': version } : {};
  return { ...headers, ...named, 'mcp-session-id': id };
}

/** Reads a stream of events bit by bit. */
export class Reader {
  text = '';
  private readonly reader: ReadableStreamDefaultReader<string>;

  constructor(readonly response: Response) {
    if (response.body === null) throw new Error('the response has no body');
    const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
    this.reader = response.body.pipeThrough(decoder).getReader();
  }

  /** Reads on until the text holds something. Looks only at what is new: a text of many megabytes would be copied each time. */
  async until(what: string): Promise<string> {
    if (this.text.includes(what)) return this.text;
    let end = this.text.slice(-what.length);
    while (!end.includes(what)) {
      const { value, done } = await this.reader.read();
      if (done) throw new Error(`the stream ended without ${what}: ${this.text}`);
      this.text += value;
      end = end.slice(-what.length) + value;
    }
    return this.text;
  }

  /** Reads to the end. */
  async rest(): Promise<string> {
    for (;;) {
      const { value, done } = await this.reader.read();
      if (done) return this.text;
      this.text += value;
    }
  }

  leave(): Promise<void> {
    return this.reader.cancel();
  }
}
