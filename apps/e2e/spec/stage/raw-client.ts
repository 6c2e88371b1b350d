import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { Connection } from '@rxmcp/transport';
import type { Server } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { onTestFinished } from 'vitest';
import type { Frame } from './frame.js';
import { metaOf } from './frame.js';
import { turn, until } from './turn.js';

/** A client without the library, on a shared pipe to a server. */
export interface RawClient {
  /** All that the server sent. */
  readonly frames: readonly Frame[];
  /** What the server took for a mistake. */
  readonly faults: readonly string[];
  /** Sends a message as it is. */
  put(frame: object): void;
  /** Sends a request and gives its response. */
  ask(frame: object): Promise<Frame>;
  /** A modern request, with what the client declares. */
  modern(method: string, params?: object, capabilities?: object, meta?: object): Promise<Frame>;
  /** A request of a session. */
  call(method: string, params?: object): Promise<Frame>;
  /** Shakes hands; gives the response. */
  shake(version: string, capabilities?: object): Promise<Frame>;
  /** Waits until nothing more is due. */
  quiet(): Promise<void>;
  /** The notifications of a name that came so far. */
  notices(method: string): Frame[];
  close(): Promise<void>;
  /** Lets the server end in order. */
  drain(): Promise<void>;
}

/** Connects one to a server; `principal` is who the server takes it for. */
export async function rawClient(server: Server, principal?: string): Promise<RawClient> {
  const link = memory(principal === undefined ? {} : { principal });
  const serving = link.serve(server);
  const connection: Connection = await link.dial();
  const frames: Frame[] = [];
  const faults: string[] = [];
  const following = server.faults$.subscribe(({ code }) => faults.push(code));
  connection.start({
    received: (message) => void frames.push(message as Frame),
    laneClosed: () => undefined,
    fault: () => undefined,
    closed: () => undefined,
  });
  onTestFinished(async () => {
    following.unsubscribe();
    await connection.close();
    await serving.close();
  });
  let nextId = 0;
  const put = (frame: object): void => {
    const message = Array.isArray(frame) ? frame : { jsonrpc: '2.0', ...frame };
    void connection.send(message as unknown as JsonRpcMessage);
  };
  const ask = async (frame: object): Promise<Frame> => {
    const { id } = frame as Frame;
    const from = frames.length;
    put(frame);
    return until(() => frames.slice(from).find((one) => one.method === undefined && one.id === id));
  };
  const call = (method: string, params?: object): Promise<Frame> =>
    ask({ id: (nextId += 1), method, ...(params === undefined ? {} : { params }) });
  return {
    frames,
    faults,
    put,
    ask,
    call,
    modern: (method, params, capabilities, meta) =>
      call(method, { ...params, _meta: metaOf(capabilities, meta) }),
    shake: async (version, capabilities = {}) => {
      const clientInfo = { name: 'raw', version: '1' };
      const response = await call('initialize', { protocolVersion: version, capabilities, clientInfo });
      put({ method: 'notifications/initialized' });
      return response;
    },
    quiet: () => turn(),
    notices: (method) => frames.filter((frame) => frame.method === method),
    close: () => connection.close(),
    drain: () => serving.drain({ timeoutMs: 1_000 }),
  };
}
