import type { Context, Fault, JsonObject, Offer, Output, Remote } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { afterEach } from 'vitest';

/** One revision of each era, and the oldest. */
export const revisions = ['2026-07-28', '2025-11-25', '2024-11-05'] as const;

export interface Pair {
  readonly remote: Remote;
  /** Runs the handler on the server, as a tool that the client calls. */
  run(): Promise<JsonObject>;
  readonly clientFaults: Fault[];
  readonly serverFaults: Fault[];
}

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A client and a server in memory, at one revision. */
export async function pair(
  version: string,
  handler: (ctx: Context) => Output<JsonObject>,
  offers: { readonly client?: readonly Offer[]; readonly server?: readonly Offer[] } = {},
): Promise<Pair> {
  const info = { name: 'test', version: '1.0.0' };
  const link = memory();
  const asks = offerMethod('tools/call', {}, (_params, ctx) => handler(ctx));
  const server = defineServer({ info, offers: [asks, ...(offers.server ?? [])] });
  const serving = link.serve(server);
  const remote = await defineClient({ info, offers: offers.client ?? [], versions: [version] }).connect(link);
  const [clientFaults, serverFaults]: [Fault[], Fault[]] = [[], []];
  const following = [
    remote.faults$.subscribe((fault) => clientFaults.push(fault)),
    server.faults$.subscribe((fault) => serverFaults.push(fault)),
  ];
  open.push(async () => {
    following.forEach((one) => one.unsubscribe());
    await remote.close();
    await serving.close();
  });
  return {
    remote,
    clientFaults,
    serverFaults,
    run: () => once(remote.request('tools/call', { name: 'test', arguments: {} })),
  };
}
