import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loopTurns } from '../../src/base/loop-turns.js';
import { unreadOutputOf } from '../../src/http/unread-response.js';
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

/** An exchange whose client disconnects, while the turn of the event loop is over; `meanwhile` runs before its end is reported. */
async function disconnected(meanwhile: (exchange: NodeExchange) => void): Promise<void> {
  const pass = await workTime();
  const reported = vi.fn();
  const server = createServer((request, response) => {
    response.on('close', () => {
      loopTurns.begin();
      pass(20);
    });
    const exchange = new NodeExchange(request, response);
    exchange.owner = { ended: vi.fn(), drained: vi.fn(), stalled: vi.fn() };
    response.on('close', () => {
      meanwhile(exchange);
      loopTurns.run(exchange.holder, reported);
    });
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitUntil(() => reported.mock.calls.length === 1);
}

it('a response between the end of its connection and the report of it takes no memory', async () => {
  const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
  await disconnected((exchange) => unreadOutputOf(exchange, memory).hold(512 * 1024));
  expect(memory.heldBytes).toBe(0);
});

it('the end of a connection is reported to the owner that its exchange has by then, and not twice', async () => {
  const former: NodeExchange['owner'][] = [];
  const next = vi.fn();
  for (const owner of [{ ended: next, drained: vi.fn(), stalled: vi.fn() }, undefined])
    await disconnected((exchange) => {
      former.push(exchange.owner);
      exchange.owner = owner;
    });
  for (const owner of former) expect(owner?.ended).not.toHaveBeenCalled();
  expect([former.length, next.mock.calls.length]).toEqual([2, 1]);
});
