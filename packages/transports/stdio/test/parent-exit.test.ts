import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runs, until } from './child.js';
import { running } from './serving-process.js';

test('a process that exits with children open takes all their levels along', async () => {
  const parent = await running('exiting-parent');
  const { stdout } = await promisify(execFile)(process.execPath, [parent]);
  const pids = JSON.parse(stdout) as number[];
  expect(pids).toHaveLength(3);
  await until(() => expect(pids.map(runs)).toEqual([false, false, false]));
});
