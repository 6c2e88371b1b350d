import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { defineClient, type EraId, type Offer, type Remote, type WireEvent } from 'rxmcp';
import { stdio } from 'rxmcp/stdio';
import { expect, onTestFinished } from 'vitest';
import { bundled } from '../../../../../vitest.bundle.js';
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
  const session = await open(column, offers);
  // A test that is aborted does not reach its end below.
  onTestFinished(() => session.remote.close());
  try {
    await recorded(session.remote, use);
  } finally {
    await session.remote.close();
  }
  expect(await processesWith(session.marker)).toEqual([]);
}

const shared = new Map<ServerColumn, Promise<Session>>();

/** Uses a server that all tests of a column share which leave it as it was. */
export async function atSharedServer(
  column: ServerColumn,
  use: (desk: Desk) => Promise<void>,
): Promise<void> {
  const session = shared.get(column) ?? open(column, []);
  shared.set(column, session);
  await recorded((await session).remote, use);
}

/** Closes the shared servers, of which nothing may be left. */
export async function closeSharedServers(): Promise<void> {
  for (const { remote, marker } of await Promise.all(shared.values())) {
    await remote.close();
    expect(await processesWith(marker)).toEqual([]);
  }
  shared.clear();
}

interface Session {
  readonly remote: Remote;
  /** An argument of the process of the server. */
  readonly marker: string;
}

async function open(column: ServerColumn, offers: readonly Offer[]): Promise<Session> {
  const marker = randomUUID();
  const file = await bundled(new URL(column.file, import.meta.url));
  const client = defineClient({
    info: { name: 'our-client', version: '1.0.0' },
    offers,
    ...(column.eras && { eras: column.eras }),
  });
  const remote = await client.connect(stdio({ command: process.execPath, args: [file, marker] }));
  expect(await processesWith(marker)).toHaveLength(1);
  return { remote, marker };
}

async function recorded(remote: Remote, use: (desk: Desk) => Promise<void>): Promise<void> {
  const wire: WireEvent[] = [];
  const recording = remote.wire$.subscribe((event) => wire.push(event));
  try {
    await use({ remote, wire });
  } finally {
    recording.unsubscribe();
  }
}
