import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineClient, type EraId, type Offer, type Remote, type WireEvent } from 'rxmcp';
import { stdio } from 'rxmcp/stdio';
import { expect, onTestFinished } from 'vitest';
import type { Column } from '../cells.js';
import { processesWith } from '../left-behind.js';

/** One server made with an official SDK, and the era in which our client talks to it. */
export interface ServerColumn extends Column<string> {
  readonly file: string;
  readonly serverName: string;
  /** What our client is pinned to. @default nothing: it prefers the modern era */
  readonly eras?: readonly EraId[];
  readonly revision: string;
}

/** The servers, each in the eras that it serves. */
export const serverColumns: readonly ServerColumn[] = [
  {
    name: 'v1 server',
    file: 'v1-server.mjs',
    serverName: 'fixture-v1',
    revision: '2025-11-25',
    cannot: {},
  },
  {
    name: 'v2 server in the legacy era',
    file: 'v2-server.mjs',
    serverName: 'fixture-v2',
    eras: ['legacy'],
    revision: '2025-11-25',
    cannot: {},
  },
  {
    name: 'v2 server in the modern era',
    file: 'v2-server.mjs',
    serverName: 'fixture-v2',
    revision: '2026-07-28',
    cannot: {},
  },
];

/** Our client at an official server; every message that passes is in `wire`. */
export interface Desk {
  readonly remote: Remote;
  readonly wire: readonly WireEvent[];
}

/** Starts a server, connects our client to it, and sees to it that nothing is left afterwards. */
export async function atServer(
  column: ServerColumn,
  use: (desk: Desk) => Promise<void>,
  offers: readonly Offer[] = [],
): Promise<void> {
  const marker = randomUUID();
  const file = fileURLToPath(new URL(column.file, import.meta.url));
  const client = defineClient({
    info: { name: 'our-client', version: '1.0.0' },
    offers,
    ...(column.eras && { eras: column.eras }),
  });
  const remote = await client.connect(stdio({ command: process.execPath, args: [file, marker] }));
  // A test that is aborted does not reach its end below.
  onTestFinished(() => remote.close());
  const wire: WireEvent[] = [];
  const recording = remote.wire$.subscribe((event) => wire.push(event));
  try {
    expect(await processesWith(marker)).toHaveLength(1);
    await use({ remote, wire });
  } finally {
    recording.unsubscribe();
    await remote.close();
  }
  expect(await processesWith(marker)).toEqual([]);
}
