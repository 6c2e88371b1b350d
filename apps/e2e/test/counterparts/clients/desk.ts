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

const server = join(repository, 'apps', 'server', 'dist', 'main.js');

/** Connects an official client to `apps/server` on a fresh folder, and sees to it that nothing is left afterwards. */
export async function atDesk(
  column: ClientColumn,
  use: (desk: Desk) => Promise<void>,
  options: { readonly files?: Record<string, string | Uint8Array> } & Answers & Heard = {},
): Promise<void> {
  if (!existsSync(server)) throw new Error('apps/server is not built: npm run setup');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-counterparts-')));
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  try {
    for (const [path, content] of Object.entries(options.files ?? {})) await write(path, content);
    const client = await column.connect([server, '--stdio', '--root', folder], options, options);
    // A test that is aborted does not reach its end below.
    onTestFinished(() => client.close());
    try {
      await use({ client, folder, write, uri: (path) => pathToFileURL(join(folder, path)).href });
    } finally {
      await client.close();
    }
    expect(await processesWith(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
