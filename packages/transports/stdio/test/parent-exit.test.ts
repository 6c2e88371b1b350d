import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runs, until } from './child.js';

test('a process that exits with children open takes all their levels along', async () => {
  const parent = fileURLToPath(new URL('./fixtures/exiting-parent.ts', import.meta.url));
  const args = ['--conditions=@rxmcp/source', '--import', 'tsx', parent];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dirname(parent) });
  const pids = JSON.parse(stdout) as number[];
  expect(pids).toHaveLength(3);
  await until(() => expect(pids.map(runs)).toEqual([false, false, false]));
});
