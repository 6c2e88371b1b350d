import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { pipeTraits } from '@rxmcp/transport';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Carrier, ServerFault } from './carrier.js';
import { inProcess } from './in-process.js';
import { networkCarriers } from './network-carriers.js';
import { overPorts } from './port-carrier.js';

export type { Carrier, Place, ServerFault } from './carrier.js';

const inMemory: Carrier = {
  name: 'memory',
  traits: { ...pipeTraits, maxMessageBytes: Number.POSITIVE_INFINITY },
  serve: (name, options) =>
    inProcess(name, options, async (server) => {
      const link = memory();
      return { transport: link, serving: link.serve(server) };
    }),
};

const overStdio: Carrier = {
  name: 'stdio',
  traits: pipeTraits,
  serve: async (name, options) => {
    const faults: ServerFault[] = [];
    const transport = stdio({
      command: process.execPath,
      args: [join(inject('programs of e2e'), 'test/matrix/stdio-server.mjs'), name, JSON.stringify(options)],
      stderr: (line) => void (line.startsWith('{') && faults.push(JSON.parse(line) as ServerFault)),
    });
    // Each dial starts a child of its own, which ends with its connection.
    return { transport, faults, close: async () => undefined };
  },
};

/** The transports there are; a new one is one more row. */
export const carriers: readonly Carrier[] = [inMemory, overStdio, overPorts, ...networkCarriers];
