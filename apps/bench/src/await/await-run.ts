// A child of the bench: calls that are awaited and calls that are subscribed to take turns; sends a row for each turn.
import { fileURLToPath } from 'node:url';
import type { Remote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import { report, type Tasks, taskOf } from '../children/tasks.js';
import { expectedText } from '../requests.js';
import { benchClient, make } from '../servers/rxmcp.js';
import { awaitedCalls, checkReply, ownCpuMicros, takeTurns } from '../turns.js';

const { link, inFlight, plan } = taskOf<'await-run'>();
const remote = await connected(link);
const echo = tools(remote);
const rows = await takeTurns({
  transport: 'await',
  inFlight,
  plan,
  cpuMicros: { [link]: ownCpuMicros },
  ways: [
    ['awaited', (count) => awaitedCalls(echo, count)],
    ['rxmcp', subscribed],
  ],
});
await remote.close();
report(rows);

function subscribed(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (id: number): void => {
      if (id === count) {
        resolve();
        return;
      }
      echo.call('echo', { text: expectedText(id) }).subscribe({
        next: (result) => checkReply(result, id),
        error: reject,
        complete: () => next(id + 1),
      });
    };
    next(0);
  });
}

function connected(kind: Tasks['await-run']['link']): Promise<Remote> {
  const client = benchClient('modern');
  if (kind === 'stdio') {
    const server = fileURLToPath(new URL('./echo-server.js', import.meta.url));
    return client.connect(stdio({ command: process.execPath, args: [server, 'stdio'] }));
  }
  const transport = memory();
  transport.serve(make(1));
  return client.connect(transport);
}
