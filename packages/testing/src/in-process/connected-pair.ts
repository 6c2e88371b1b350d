import type { Context, Fault, JsonObject, Offer, HandlerResult, Remote, Server } from '@rxmcp/core';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { type TestLink, inProcess } from './in-process-link.js';

/** Options of {@link connectedPair}. */
export interface ConnectedPairOptions {
  /** The server, or its offers. @default a server without offers */
  readonly server?: Server | readonly Offer[];
  /** The offers of the client, such as a model or roots. @default none */
  readonly client?: readonly Offer[];
  /** The protocol revision to speak. @default the newest */
  readonly version?: string;
  /** Code that needs a context, such as an ask. It handles each `tools/call` of the server; `run` makes such a call. */
  readonly handler?: ((ctx: Context) => HandlerResult<JsonObject>) | undefined;
  /** The transport between the two, such as `memory()`. @default an in-process link that delivers in microtasks */
  readonly link?: TestLink;
  /** Receives a function that closes both: `onTestFinished` of vitest, `(close) => t.after(close)` of `node:test`. */
  readonly onCleanup?: (close: () => Promise<void>) => unknown;
}

const knownOptions: Record<keyof ConnectedPairOptions, true> = {
  server: true,
  client: true,
  version: true,
  handler: true,
  link: true,
  onCleanup: true,
};

/** A server and a client that are connected. */
export interface ConnectedPair {
  readonly server: Server;
  readonly remote: Remote;
  /** The faults of the server so far. */
  readonly serverFaults: readonly Fault[];
  /** The faults of the client so far. */
  readonly clientFaults: readonly Fault[];
  /** Runs the `handler` in a call of the client. Errors as the call does. */
  run(): Promise<JsonObject>;
  /** Closes both. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects a server and a client for tests of both sides. Collects the faults of both, so that none
 * reaches the console. Rejects as `client.connect` does.
 */
export async function connectedPair(options: ConnectedPairOptions = {}): Promise<ConnectedPair> {
  rejectUnknownOptions('connectedPair', options, knownOptions, { atEnd: 'onCleanup' });
  const { server: given = [], client = [], version, handler, link = inProcess(), onCleanup } = options;
  const info = { name: 'test', version: '1.0.0' };
  if (handler !== undefined && !isOffers(given))
    throw new TypeError('connectedPair: "handler" needs the offers of the server, not a whole server');
  const handled =
    handler === undefined ? [] : [offerMethod('tools/call', {}, (_params, ctx) => handler(ctx))];
  const server = isOffers(given) ? defineServer({ info, offers: [...handled, ...given] }) : given;
  const serverFaults: Fault[] = [];
  const clientFaults: Fault[] = [];
  const following = [server.faults$.subscribe((fault) => void serverFaults.push(fault))];
  const handle = link.serve(server);
  let remote: Remote | undefined;
  const close = async (): Promise<void> => {
    await remote?.close();
    await handle.close();
    // Closing has faults of its own.
    for (const subscription of following.splice(0)) subscription.unsubscribe();
  };
  try {
    const pinned = version === undefined ? {} : { versions: [version] };
    remote = await defineClient({ info, offers: client, ...pinned }).connect(link);
  } catch (error) {
    await close();
    throw error;
  }
  following.push(remote.faults$.subscribe((fault) => void clientFaults.push(fault)));
  onCleanup?.(close);
  const { request } = remote;
  return {
    server,
    remote,
    serverFaults,
    clientFaults,
    run: () => once(request('tools/call', { name: 'test', arguments: {} })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isOffers(given: Server | readonly Offer[]): given is readonly Offer[] {
  return Array.isArray(given);
}
