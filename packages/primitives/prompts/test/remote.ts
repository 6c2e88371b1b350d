import { onTestFinished } from 'vitest';
import type { Fault, Offer, Remote } from '@rxmcp/core';
import { defineClient, defineServer } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';

/** Every published revision. */
export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** A client of these offers that speaks one revision, over memory. */
export async function serving(
  offers: readonly Offer[],
  version: string = '2026-07-28',
): Promise<{ readonly remote: Remote; readonly faults: Fault[] }> {
  const link = memory();
  const server = defineServer({ info: { name: 'server', version: '1.0.0' }, offers });
  const faults: Fault[] = [];
  server.faults$.subscribe((fault) => void faults.push(fault));
  const handle = link.serve(server);
  const client = defineClient({ info: { name: 'client', version: '1.0.0' }, versions: [version] });
  const remote = await client.connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  return { remote, faults };
}
