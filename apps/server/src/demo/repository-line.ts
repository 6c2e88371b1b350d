import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { defineClient, once, type Remote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { demoServer } from '../demo-server.js';
import { version } from '../version.js';
import { textOf } from './cells/tool-cells.js';

const measured = 'apps/bench/results/latest.csv';

/** Describes this repository in one line, as the demo server serves it: its files, and the figures of the last bench. */
export async function repositoryLine(root: string): Promise<string> {
  const files = await served(root, (remote) => once(resources(remote).list()));
  const sizes = files.flatMap(({ uri, size = 0 }) => (uri.startsWith('file:') ? [size] : []));
  const kib = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
  return `this repository: ${sizes.length} resources of ${kib} KiB; ${await benchFigures(root)}`;
}

/** Reads the last result of the bench from a copy in its own folder, so that it is served even if it is not in git. */
async function benchFigures(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-demo-bench-'));
  try {
    const name = basename(measured);
    const there = await copyFile(join(root, measured), join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!there) return `no ${measured}, npm run bench writes it`;
    return await served(folder, (remote) => figuresOf(remote, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function figuresOf(remote: Remote, filepath: string): Promise<string> {
  const result = await once(tools(remote).call('analyze_csv', { filepath, operations: ['sum'] }));
  if (result.isError === true) return `${measured}: ${textOf(result)}`;
  const { rows, columns } = result.structuredContent as {
    readonly rows: number;
    readonly columns: readonly { readonly column: string; readonly sum: number }[];
  };
  const calls = columns.find(({ column }) => column === 'calls')?.sum ?? 0;
  return `${measured} has ${rows} rows of ${calls} calls in all`;
}

async function served<T>(root: string, use: (remote: Remote) => Promise<T>): Promise<T> {
  const link = memory();
  const handle = link.serve(await demoServer({ root }));
  try {
    const remote = await defineClient({ info: { name: 'rxmcp-demo-client', version } }).connect(link);
    try {
      return await use(remote);
    } finally {
      await remote.close();
    }
  } finally {
    await handle.close();
  }
}
