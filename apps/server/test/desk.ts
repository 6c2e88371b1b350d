import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineClient, type Offer, type Remote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { onTestFinished } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { demoServer, type DemoServerOptions } from '../src/demo-server.js';

/** One revision of each era, and in an exhaustive run the oldest. */
export const revisions = ['2026-07-28', '2025-11-25', ...(exhaustive ? ['2024-11-05'] : [])];

/** A folder that is removed after the test. */
export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-server-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A client at the demo server, connected in memory; both are closed after the test. */
export async function desk(
  options: DemoServerOptions,
  client: { readonly version?: string; readonly offers?: readonly Offer[] } = {},
): Promise<Remote> {
  const { version = '2026-07-28', offers = [] } = client;
  const link = memory();
  const handle = link.serve(await demoServer(options));
  const remote = await defineClient({
    info: { name: 'desk', version: '1' },
    offers,
    versions: [version],
  }).connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  return remote;
}
