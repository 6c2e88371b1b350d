import { memory } from '@rxmcp/memory';
import { onTestFinished } from 'vitest';
import type { ClientOptions, Fault, Remote, ServerOptions } from '../../src/index.js';
import { defineClient, defineServer } from '../../src/index.js';

/** Both eras, each in its newest revision. */
export const eras = [
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const;

/** A client and a server of this project, joined in memory. */
export interface Pair {
  readonly remote: Remote;
  readonly serverFaults: Fault[];
  readonly clientFaults: Fault[];
}

/** Joins them, and parts them at the end of the test. */
export async function pair(
  version: string,
  server: Partial<ServerOptions>,
  client: Partial<ClientOptions> = {},
  principal?: string,
): Promise<Pair> {
  const wire = memory(principal === undefined ? {} : { principal });
  const served = defineServer({ info: { name: 's', version: '1' }, offers: [], ...server });
  const serverFaults: Fault[] = [];
  const clientFaults: Fault[] = [];
  served.faults$.subscribe((fault) => void serverFaults.push(fault));
  const handle = wire.serve(served);
  const remote = await defineClient({
    info: { name: 'c', version: '1' },
    versions: [version],
    ...client,
  }).connect(wire);
  remote.faults$.subscribe((fault) => void clientFaults.push(fault));
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  return { remote, serverFaults, clientFaults };
}
