import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { processesWith } from '../left-behind.js';
import { repository } from '../../repository.js';
import type { Answers, ClientColumn, Heard, OfficialClient } from './official-client.js';

/** A folder that the demo server serves, and an official client at it. */
export interface Desk {
  readonly client: OfficialClient;
  readonly folder: string;
  uri(path: string): string;
  write(path: string, content: string | Uint8Array): Promise<void>;
}

/** The files of the shared server. */
export const sharedFiles = {
  'a.md': 'The heron stands in the shallow water. It waits. Then it strikes.\n',
  'b.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]),
  'sub/c.txt': 'c',
  'figures.csv': 'name,n\na,10\nb,20\nc,30\n',
};

const server = join(repository, 'apps', 'server', 'dist', 'main.js');

type Options = { readonly files?: Record<string, string | Uint8Array> } & Answers & Heard;

/** Connects an official client to `apps/server` on a fresh folder, and sees to it that nothing is left afterwards. */
export async function atDesk(
  column: ClientColumn,
  use: (desk: Desk) => Promise<void>,
  options: Options = {},
): Promise<void> {
  const session = await open(column, options);
  // A test that is aborted does not reach its end below.
  onTestFinished(() => session.client.close());
  try {
    await use(session);
  } finally {
    await close(session);
  }
}

const shared = new Map<ClientColumn, Promise<Desk>>();

/** Uses the client and server that all tests of a column share which leave them as they were. */
export async function atSharedDesk(column: ClientColumn, use: (desk: Desk) => Promise<void>): Promise<void> {
  const session = shared.get(column) ?? open(column, { files: sharedFiles });
  shared.set(column, session);
  await use(await session);
}

/** Closes the shared clients, of whose servers nothing may be left. */
export async function closeSharedDesks(): Promise<void> {
  for (const session of await Promise.all(shared.values())) await close(session);
  shared.clear();
}

async function open(column: ClientColumn, options: Options): Promise<Desk> {
  if (!existsSync(server)) throw new Error('apps/server is not built: npm run setup');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-counterparts-')));
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(options.files ?? {})) await write(path, content);
  const client = await column.connect([server, '--stdio', '--root', folder], options, options);
  return { client, folder, write, uri: (path) => pathToFileURL(join(folder, path)).href };
}

async function close({ client, folder }: Desk): Promise<void> {
  try {
    await client.close();
    expect(await processesWith(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
