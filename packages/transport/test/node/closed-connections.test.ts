import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NodeExchange } from '../../src/node/internal.js';
import { workTime } from '../work-time.js';

it('the ends of many connections at once are divided among turns of the event loop', async () => {
  const endedIn: number[] = [];
  let turn = 0;
  let pass = (_ms: number): void => undefined;
  const owner = {
    ended: () => {
      pass(4);
      endedIn.push(turn);
    },
    drained: vi.fn(),
    stalled: vi.fn(),
  };
  let asking = 0;
  const server = createServer((request, response) => {
    new NodeExchange(request, response).owner = owner;
    asking += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitUntil(() => asking === sockets.length);
  pass = await workTime();
  const count = (): void => {
    turn += 1;
    if (endedIn.length < sockets.length) setImmediate(count);
  };
  count();
  for (const socket of sockets) socket.destroy();
  await vi.waitUntil(() => endedIn.length === sockets.length);
  const most = Math.max(...endedIn.map((one) => endedIn.filter((other) => other === one).length));
  expect(most).toBeLessThanOrEqual(3);
});
