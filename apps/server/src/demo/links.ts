import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import type { Primitive } from './primitive.js';
import { servedFolder } from './served.js';

/** A transport with a server at its other end. */
export interface Link {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** A transport that is built; a row of the table for each era that it carries. */
export interface Built {
  readonly name: string;
  open(folder: string, broken: Primitive | undefined): Promise<Link>;
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

/** The server as a child process. `script` is the built `demo-child.js`. */
export function overStdio(script: string): Built {
  return {
    name: 'stdio',
    async open(folder, broken) {
      const args = [script, folder, ...(broken === undefined ? [] : [broken])];
      return {
        transport: stdio({ command: process.execPath, args }),
        close: () => Promise.resolve(),
      };
    },
  };
}
