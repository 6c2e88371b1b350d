import type { JsonObject } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import type { Traits, Transport } from '@rxmcp/transport';
import { pipeTraits } from '@rxmcp/transport';
import { inject } from 'vitest';
import type { ServerName } from './servers/index.js';
import { serverNamed } from './servers/index.js';

/** A fault of a server, as far as it travels. */
export interface ServerFault {
  readonly code: string;
  readonly message: string;
}

/** A server that is there to be dialled. */
export interface Place {
  readonly transport: Transport;
  /** What the server reported so far, in order. */
  readonly faults: readonly ServerFault[];
  close(): Promise<void>;
}

/** One row of the matrix: a transport with what it can carry, and how a named description is served over it. */
export interface Carrier {
  readonly name: string;
  readonly traits: Traits;
  serve(server: ServerName, options: JsonObject): Promise<Place>;
}

const inMemory: Carrier = {
  name: 'memory',
  traits: { ...pipeTraits, maxMessageBytes: Number.POSITIVE_INFINITY },
  serve: async (name, options) => {
    const link = memory();
    const server = serverNamed(name, options);
    const faults: ServerFault[] = [];
    const following = server.faults$.subscribe(({ code, message }) => faults.push({ code, message }));
    const serving = link.serve(server);
    return {
      transport: link,
      faults,
      close: async () => {
        await serving.close();
        following.unsubscribe();
      },
    };
  },
};

const overStdio: Carrier = {
  name: 'stdio',
  traits: pipeTraits,
  serve: async (name, options) => {
    const faults: ServerFault[] = [];
    const transport = stdio({
      command: process.execPath,
      args: [inject('serverProgram'), name, JSON.stringify(options)],
      stderr: (line) => void (line.startsWith('{') && faults.push(JSON.parse(line) as ServerFault)),
    });
    // Each dial starts a child of its own, which ends with its connection.
    return { transport, faults, close: async () => undefined };
  },
};

/** The transports there are; a new one is one more row. */
export const carriers: readonly Carrier[] = [inMemory, overStdio];
