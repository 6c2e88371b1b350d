import { fileURLToPath } from 'node:url';
import type { Connection } from '@rxmcp/transport';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dialPeer, turnsUntil } from './child.js';
import type { Recording } from '@rxmcp/transport-tck/recording';
import { exhaustive } from '../../../../vitest.exhaustive.js';

const peer = fileURLToPath(new URL('./fixtures/peer.mjs', import.meta.url));
const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;
const calls = 20;

/** Starts a child that says who it is before it is what it will be, so that it can be killed while it starts. */
async function dialled(
  program: readonly string[],
  onMessage?: (heard: number) => void,
): Promise<{ connection: Connection; heard: Recording; pid: () => Promise<number> }> {
  const pids: number[] = [];
  let count = 0;
  const options = {
    command: 'sh',
    args: ['-c', 'echo $$ >&2; exec "$0" "$@"', ...program],
    stderr: (line: string) => void pids.push(Number(line)),
  };
  const { connection, heard } = await dialPeer([], options, () => onMessage?.((count += 1)));
  const pid = async (): Promise<number> => {
    await turnsUntil(() => pids.length === 1);
    return pids[0]!;
  };
  return { connection, heard, pid };
}

/** Runs all rounds, a few at a time. */
async function rounds(count: number, round: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await round(next++);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

/** What a dead child's connection has delivered: one end and what came before it, in order. */
function expectDead(heard: Recording): void {
  expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { signal: 'SIGKILL' } }]);
  expect(heard.messages).toEqual(heard.messages.map((_, id) => ({ jsonrpc: '2.0', id, result: {} })));
}

// Killed while it starts, or as the first, second ... last of twenty responses comes.
test.skipIf(process.platform === 'win32')(
  'fault 1: children killed with calls in flight are closed without any timer, once each',
  async () => {
    // Time stands still: what waits for a timer waits for good.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await rounds(exhaustive ? 200 : calls + 1, async (at) => {
      const responses = at % (calls + 1);
      let kill = (): void => undefined;
      const told = (count: number): void => {
        if (count === responses) kill();
      };
      const { connection, heard, pid } = await dialled([process.execPath, peer, 'echo'], told);
      const child = await pid();
      kill = () => void process.kill(child, 'SIGKILL');
      const sends = Array.from({ length: calls }, (_, id) => connection.send(ping(id)));
      if (responses === 0) kill();
      const settled = Promise.allSettled(sends);
      await turnsUntil(() => heard.closeErrors.length === 1);
      await settled;
      expectDead(heard);
      expect(heard.messages.length).toBeGreaterThanOrEqual(responses);
      await expect(connection.send(ping(99))).rejects.toMatchObject({ outcome: 'not-sent' });
    });
  },
);

test.skipIf(process.platform === 'win32')('row 89: writing to dying children is never uncaught', async () => {
  const text = 'x'.repeat(10_000);
  await rounds(exhaustive ? 1_000 : 40, async () => {
    const { connection, heard, pid } = await dialled(['cat']);
    process.kill(await pid(), 'SIGKILL');
    for (let id = 0; heard.closeErrors.length === 0; id += 1) {
      connection.send(ping(id, { text })).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });
});
