import { Worker } from 'node:worker_threads';
import type { Server } from 'rxmcp';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { memory } from 'rxmcp/memory';
import { messagePort } from 'rxmcp/message-port';
import { sse } from 'rxmcp/sse';
import { serveSse } from 'rxmcp/sse/node';
import { stdio } from 'rxmcp/stdio';
import { serveSocket, socket } from 'rxmcp/stdio/net';
import type { ServeHandle, Transport } from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { serveWebSocket, webSocket } from 'rxmcp/websocket/node';
import { type Primitive, servedFolder } from './served.js';

/** A transport with a server at its other end. */
interface Link {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** A transport that is built; a row of the table for each era that it carries. */
export interface Built {
  readonly name: string;
  open(folder: string, broken: Primitive | undefined): Promise<Link>;
}

/** What the worker of {@link overMessagePort} is given. */
export interface WorkerData {
  readonly folder: string;
  readonly broken: Primitive | undefined;
}

/** Server and client in this process. */
export const inMemory: Built = {
  name: 'memory',
  async open(folder, broken) {
    const transport = memory();
    const handle = transport.serve(await servedFolder(folder, broken));
    return { transport, close: () => handle.close() };
  },
};

/** Those of a network, with the server in this process, each at a port that the system chose. */
export const overNetwork: readonly Built[] = [
  listening('http', serveHttp, ({ url }) => http(url)),
  listening('sse', serveSse, ({ url }) => sse(url)),
  listening('websocket', serveWebSocket, ({ url }) => webSocket(url)),
  listening('tcp', serveSocket, ({ port }) => socket({ port })),
  listening('url', serveHttp, ({ url }) => transportFor(url)),
];

/** The server as a child process. `script` is the built `demo-child.js`. */
export function overStdio(script: string): Built {
  return unserved('stdio', (folder, broken) => {
    const args = [script, folder, ...(broken === undefined ? [] : [broken])];
    return stdio({ command: process.execPath, args });
  });
}

/** The server as a worker. `script` is the built `demo-worker.js`. */
export function overMessagePort(script: string): Built {
  return unserved('message-port', (folder, broken) => {
    const workerData: WorkerData = { folder, broken };
    return messagePort(() => new Worker(script, { workerData }));
  });
}

function listening<Handle extends ServeHandle>(
  name: string,
  serve: (server: Server, options: { readonly port: number }) => Promise<Handle>,
  dialling: (handle: Handle) => Transport,
): Built {
  return {
    name,
    async open(folder, broken) {
      const handle = await serve(await servedFolder(folder, broken), { port: 0 });
      return { transport: dialling(handle), close: () => handle.close() };
    },
  };
}

/** Each dial starts a server of its own, which ends with its connection. */
function unserved(name: string, made: (folder: string, broken: Primitive | undefined) => Transport): Built {
  return {
    name,
    open: async (folder, broken) => ({
      transport: made(folder, broken),
      close: () => Promise.resolve(),
    }),
  };
}
