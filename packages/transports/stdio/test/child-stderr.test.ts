import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stdio } from '../src/index.js';
import { running } from './serving-process.js';

/** What a process printed to stderr whose child crashed, and what the error kept of the child's. */
async function crashed(option?: string): Promise<{ printed: string; kept: string }> {
  const args = [await running('dialling-parent'), ...(option === undefined ? [] : [option])];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return { printed: stderr, kept: (JSON.parse(stdout) as { kept: string }).kept };
}

test('the stderr of a child is printed by default, and kept for errors', async () => {
  const { printed, kept } = await crashed();
  expect(kept).toContain('TypeError: ');
  expect(printed).toBe(kept);
});

test('with "ignore" it is kept and not printed', async () => {
  const { printed, kept } = await crashed('ignore');
  expect(kept).toContain('TypeError: ');
  expect(printed).toBe('');
});

test('another value is rejected with those that exist', () => {
  expect(() => stdio({ command: 'node', stderr: 'ring' as 'ignore' })).toThrow(
    `stdio: "stderr" must be 'inherit' (the default), 'ignore' or a function of a line, got "ring"`,
  );
});
