import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The command lines of all processes that have this text in theirs: what a closed connection must not leave behind. */
export async function processesWith(marker: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(marker));
}
