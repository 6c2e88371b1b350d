// A child of the bench: calls that are awaited and calls that are subscribed to take turns; sends a row for each turn.
import { fileURLToPath } from 'node:url';
import { defineClient, type Remote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import type { AwaitLink, AwaitTask } from './measure-await.js';
import { expectedText } from '../requests.js';
import { make } from '../servers/rxmcp.js';
import { awaitedCalls, checkReply, takeTurns } from '../turns.js';

const { link, inFlight, plan } = JSON.parse(process.argv[2] ?? '') as AwaitTask;
const remote = await connected(link);
const echo = tools(remote);
const rows = await takeTurns({
  transport: 'await',
  phase: link,
  heat: 'warm',
  inFlight,
  plan,
  ways: [
    ['awaited', (count) => awaitedCalls(echo, count)],
    ['rxmcp', subscribed],
  ],
});
await remote.close();
process.send?.(rows, () => process.exit(0));

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

function connected(kind: AwaitLink): Promise<Remote> {
  const client = defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: ['modern'] });
  if (kind === 'stdio') {
    const server = fileURLToPath(new URL('./echo-server.js', import.meta.url));
    return client.connect(stdio({ command: process.execPath, args: [server, 'stdio'] }));
  }
  const transport = memory();
  transport.serve(make(1));
  return client.connect(transport);
}
