import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createTransport } from '@rxmcp/transport';
import type { Fixture, ProcessWatch } from '../../src/index.js';
import { type Post, type Posted, postedConnection, type PostParts, postParts } from './posted.js';

/** What a child process and the connection to it are made of. A mutant replaces one part. */
export interface ChildParts extends PostParts {
  /** The arguments of the child: `noisy`, `crashing` and `hasty` break it. */
  args(): readonly string[];
  /** Waits for the end of the child. */
  ended(child: ChildProcess): Promise<unknown>;
}

const childParts: ChildParts = {
  ...postParts,
  args: () => [],
  async ended(child) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
    await once(child, 'exit');
    clearTimeout(timer);
  },
};

/** A child process for each connection, over the channel that Node makes to it; `change` breaks it. */
export function childFixture(
  script: string,
  watch: ProcessWatch,
  change: (parts: ChildParts) => Partial<ChildParts> = () => ({}),
): Fixture {
  const parts: ChildParts = { ...childParts, ...change(childParts) };
  const children: ChildProcess[] = [];
  return {
    transport: createTransport('child', async (signal) => {
      const child = fork(script, parts.args(), {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        signal,
        killSignal: 'SIGTERM',
      });
      child.on('error', () => undefined);
      watch.child(child);
      children.push(child);
      await once(child, 'spawn');
      return postedConnection(postOf(child, parts), parts, false);
    }),
    async close() {
      for (const child of children) child.kill('SIGKILL');
    },
    cut: () => void children.at(-1)?.kill('SIGKILL'),
  };
}

function postOf(child: ChildProcess, parts: ChildParts): Post {
  return {
    post: (data) => void (child.connected && child.send(data, () => undefined)),
    listen: (take) => void child.on('message', (data) => take(data as Posted)),
    onGone: (gone) => void child.once('exit', gone),
    close: async () => void (await parts.ended(child)),
  };
}
