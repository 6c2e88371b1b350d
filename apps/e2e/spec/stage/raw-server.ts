import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { Connection, Transport } from '@rxmcp/transport';
import type { ClientOptions, Fault, Remote } from 'rxmcp';
import { defineClient } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { onTestFinished } from 'vitest';
import type { Frame } from './frame.js';
import { modern } from './frame.js';

/** What a scripted server does with a message; what it gives is the rest of the response, undefined is silence. */
export type Script = (frame: Frame) => object | undefined;

/** A server without the library, on a shared pipe to a client. */
export interface RawServer {
  readonly transport: Transport;
  /** All that clients sent, openings included, over every connection. */
  readonly frames: readonly Frame[];
  /** What came that is neither part of an opening nor a response. */
  asked(): Frame[];
  /** Sends a message as it is, on the last connection. */
  put(frame: object): void;
}

/** One that speaks a revision and answers as the script says; the version `own` leaves openings to the script too. */
export function rawServer(script: Script, version: string = modern, capabilities: object = all): RawServer {
  const link = memory();
  const frames: Frame[] = [];
  let last: Connection | undefined;
  const put = (frame: object): void =>
    void last?.send({ jsonrpc: '2.0', ...frame } as unknown as JsonRpcMessage).catch(() => undefined);
  const opening = (frame: Frame): object | undefined => {
    if (version === 'own') return undefined;
    if (frame.method === 'server/discover') {
      if (version !== modern) return { error: { code: -32601, message: 'what?' } };
      return { result: { resultType: 'complete', supportedVersions: [modern], capabilities } };
    }
    if (frame.method !== 'initialize') return undefined;
    return { result: { protocolVersion: version, capabilities, serverInfo: { name: 'raw', version: '0' } } };
  };
  const serving = link.serve({
    accept(connection) {
      last = connection;
      let over: () => void = () => undefined;
      const closed = new Promise<void>((resolve) => (over = resolve));
      connection.start({
        received(message) {
          const frame = message as Frame;
          frames.push(frame);
          const response = opening(frame) ?? script(frame);
          if (response !== undefined && frame.id !== undefined) put({ id: frame.id, ...response });
        },
        laneClosed: () => undefined,
        fault: () => undefined,
        closed: () => over(),
      });
      return { drain: () => Promise.resolve(), closed };
    },
  });
  onTestFinished(() => serving.close());
  const openings = new Set(['server/discover', 'initialize', 'notifications/initialized']);
  return {
    transport: link,
    frames,
    asked: () => frames.filter(({ method }) => method !== undefined && !openings.has(method)),
    put,
  };
}

/** A client that is connected to it, with its faults. */
export async function clientOf(
  server: { readonly transport: Transport },
  options: Partial<ClientOptions> = {},
): Promise<{ readonly remote: Remote; readonly faults: readonly Fault[] }> {
  const remote = await defineClient({ info: { name: 'c', version: '1' }, ...options }).connect(
    server.transport,
  );
  const faults: Fault[] = [];
  const following = remote.faults$.subscribe((fault) => faults.push(fault));
  onTestFinished(async () => {
    following.unsubscribe();
    await remote.close();
  });
  return { remote, faults };
}

const live = { listChanged: true };
const all = { tools: live, resources: { ...live, subscribe: true }, prompts: live, logging: {} };
