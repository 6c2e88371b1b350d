import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@rxmcp/transport';
import { onTestFinished, vi } from 'vitest';
import { stdio, type StdioOptions } from '../src/index.js';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';

/** A program that speaks raw lines. */
export const peer = fileURLToPath(new URL('./fixtures/peer.mjs', import.meta.url));

/** Starts the raw peer in a mode, with a recording at its end; it is closed with the test. */
export async function dialPeer(
  args: readonly string[],
  options: Partial<StdioOptions> = {},
  onMessage?: (message: unknown, connection: Connection) => void,
): Promise<{ connection: Connection; heard: Recording }> {
  const child = { command: process.execPath, args: [peer, ...args], stderr: 'ignore' } as const;
  const connection = await stdio({ ...child, ...options }).dial();
  onTestFinished(() => connection.close());
  const heard = recording((message) => onMessage?.(message, connection));
  connection.start(heard);
  return { connection, heard };
}

/** Waits until a check holds. */
export const until = (check: () => void, timeout = 60_000): Promise<void> =>
  vi.waitFor(check, { timeout, interval: 5 });

export { turnsUntil } from '../../../../vitest.turns.js';

/** Whether a process runs; one that ended and was not collected yet does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${String(pid)}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

/** The text of the last error that a connection ended with, and its details. */
export const detailsOf = (heard: Recording): Record<string, unknown> => ({
  ...heard.closeErrors[0]?.details,
});
