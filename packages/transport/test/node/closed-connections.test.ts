import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loopTurns } from '../../src/base/loop-turns.js';
import { holdUnread } from '../../src/http/unread-response.js';
import { MemoryBudget } from '../../src/memory/memory-budget.js';
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

it('a response between the end of its connection and the report of it takes no memory', async () => {
  const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
  const pass = await workTime();
  const events: string[] = [];
  const server = createServer((request, response) => {
    response.on('close', () => {
      loopTurns.begin();
      pass(20);
    });
    const exchange = new NodeExchange(request, response);
    exchange.owner = {
      ended: () => void events.push('ended'),
      drained: vi.fn(),
      stalled: vi.fn(),
    };
    response.on('close', () => {
      events.push('responded');
      holdUnread(exchange, memory, 512 * 1024);
    });
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitUntil(() => events.length === 2);
  expect(events).toEqual(['responded', 'ended']);
  expect(memory.heldBytes).toBe(0);
});
