import type { ProcessReport } from './fixtures/watch-process.js';

/** A call of a hostile server that the client process makes, and how often at once. */
export interface Order {
  readonly target: string | { readonly command: string; readonly args: readonly string[] };
  readonly method: 'tools/list' | 'resources/list' | 'tools/call' | 'checked' | 'list$' | 'watch';
  readonly times: number;
  /** When the client cancels what has not ended, in milliseconds. */
  readonly forMs: number;
  /** The code of the error after which the client cancels the rest. */
  readonly ends: string | undefined;
}

/** What the client process says after an order. */
export interface Report extends Omit<ProcessReport, 'usedBytes' | 'residentBytes'> {
  /** The codes of errors and faults, and COMPLETE. */
  readonly outcomes: readonly string[];
  /** The calls of the good server that succeeded meanwhile. */
  readonly calls: number;
  readonly goodP99Ms: number;
  readonly goodFailures: readonly string[];
  readonly grownBytes: number;
  /** What is charged after the remote has closed, and was not before. */
  readonly heldBytes: number;
}

/** The members of an object. */
export type Json = Record<string, unknown>;

/** A request of the client. */
export interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: Json & { readonly _meta?: Json };
}

/** What a hostile server can do with a request. */
export interface Voice {
  readonly era: 'modern' | 'legacy';
  /** False once the client has closed. */
  readonly isOpen: boolean;
  /** Sends one message; resolves once the system has taken it. */
  send(message: object): Promise<void>;
  result(result: object): Promise<void>;
  /** Writes bytes below the messages: into the body of a response, or into the socket. */
  raw(bytes: string | Buffer): Promise<void>;
}

/** `sse` is HTTP+SSE, which only the legacy era has. */
export type Transport = 'http' | 'sse-answer' | 'sse' | 'websocket' | 'stdio';

/** One way to attack. */
export interface Kind {
  readonly name: string;
  readonly over: readonly Transport[];
  readonly eras: readonly Voice['era'][];
  readonly method: Order['method'];
  readonly times?: number;
  /** What its calls must end with, among others. */
  readonly ends?: string;
  /** Answers a request; false where the default answer is to be given. */
  readonly answer: (asked: Asked, voice: Voice) => Promise<void> | false;
}

export const streams: readonly Transport[] = ['sse-answer', 'sse', 'websocket', 'stdio'];
export const all: readonly Transport[] = ['http', ...streams];
export const both = ['modern', 'legacy'] as const;

/** Returns so many megabytes of text. */
export const megabytes = (count: number, text = 'x'): string =>
  text.repeat((count * 1_000_000) / Buffer.byteLength(text));

/** Returns a notification. */
export const notice = (method: string, params: Json): object => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params,
});

/** Returns a request for a completion of a model. */
export const sampling = (bytes: string): Json => ({
  method: 'sampling/createMessage',
  params: { maxTokens: 1, messages: [{ role: 'user', content: { type: 'text', text: bytes } }] },
});

/** Returns what a server says about itself, with more capabilities. */
export function greeting(era: Voice['era'], more: Json = {}): object {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    logging: {},
    ...more,
  };
  if (era === 'legacy')
    return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'mallory', version: '1' } };
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities,
    ttlMs: 0,
    cacheScope: 'private',
  };
}
