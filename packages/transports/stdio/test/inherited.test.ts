import { expect, onTestFinished, test } from 'vitest';
import { dialPeer, until } from './child.js';

const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;

test.skipIf(process.platform === 'win32')(
  'a closed connection releases the streams that a process outside of its group keeps open',
  async () => {
    const before = pipes();
    const pids: number[] = [];
    const { connection } = await dialPeer([], {
      command: 'sh',
      args: ['-c', 'setsid sleep 600 & echo $! >&2; exec sleep 600'],
      stderr: (line) => void pids.push(Number(line)),
      closeTimeouts: { stdinTimeoutMs: 0, sigtermTimeoutMs: 100 },
    });
    await until(() => expect(pids).toHaveLength(1));
    onTestFinished(() => void process.kill(pids[0] as number, 'SIGKILL'));
    await connection.close();
    await until(() => expect(pipes()).toBe(before));
  },
);
