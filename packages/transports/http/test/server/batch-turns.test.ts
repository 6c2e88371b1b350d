import type { JsonObject } from '@rxmcp/jsonrpc';
import { type ConnectionHandler, MemoryBudget } from '@rxmcp/transport';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fetchHandler } from '../../src/fetch.js';
import { messagesIn, modern, post, request } from './calls.js';

/** A server whose requests in batches take a whole turn of the event loop each, and the order in which messages reach it. */
function slowServer(began: (memory: MemoryBudget) => void) {
  const memory = new MemoryBudget({ maxBytes: 1_000_000 });
  const order: unknown[] = [];
  const held: number[] = [];
  const handler: ConnectionHandler = {
    memory,
    accept(connection) {
      connection.start({
        received(incoming, info) {
          const { id, method, params } = (Array.isArray(incoming) ? incoming[0] : incoming) as JsonObject;
          const isOpening = method === 'initialize';
          if (!isOpening) order.push(id ?? method);
          held.push(memory.heldBytes);
          if (Array.isArray(incoming)) vi.advanceTimersByTime(10);
          if (id === 1) began(memory);
          if (id === undefined) return;
          const result = isOpening ? { protocolVersion: (params as JsonObject)['protocolVersion'] } : {};
          const options = { ...(info?.lane && { lane: info.lane }), completesHandshake: isOpening };
          void connection.send({ jsonrpc: '2.0', id: id as number, result } as never, options);
        },
        laneClosed: () => undefined,
        fault: () => undefined,
        closed: () => undefined,
      });
      return { drain: () => Promise.resolve(), closed: Promise.resolve() };
    },
  };
  const serve = fetchHandler(handler, {
    authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }),
  });
  onTestFinished(() => serve.close());
  const ask = (init: RequestInit): Promise<Response> => serve(new Request('http://localhost/mcp', init));
  return { ask, order, held, memory };
}

/** Posts a batch of five requests, and more that comes while they wait. */
async function batchOf(began: (memory: MemoryBudget) => void = () => undefined) {
  const { ask, ...seen } = slowServer(began);
  const ada = { authorization: 'ada' };
  const opened = await ask(post(request('initialize', { protocolVersion: '2025-03-26' }, 0), ada));
  const headers = { ...ada, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The turn that has begun has an end on the real clock.
  for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
  const entries = [1, 2, 3, 4, 5].map((id) => request('work', { pad: 'x'.repeat(1_000) }, id));
  const batch = ask(post(entries, headers));
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  const cancelled = ask(post(cancel, headers));
  const call = modern('echo', {}, 'bob');
  const other = ask({ ...call, headers: { ...call.headers, authorization: 'bob' } as HeadersInit });
  expect((await other).status).toBe(200);
  // In the second test its caller holds too much for it to wait.
  expect([202, 503]).toContain((await cancelled).status);
  const responses = messagesIn(await (await batch).text()).map(({ id }) => id);
  return { ...seen, responses };
}

it('the entries of a batch are started in turns, others are served between them, and nothing of the same caller overtakes them', async () => {
  const { order, held, memory, responses } = await batchOf();
  expect(order.filter((id) => id !== 'bob')).toEqual([1, 2, 3, 4, 5, 'notifications/cancelled']);
  expect(order.indexOf('bob')).toBeGreaterThan(order.indexOf(1));
  expect(order.indexOf('bob')).toBeLessThan(order.indexOf(5));
  expect(responses).toEqual([1, 2, 3, 4, 5]);
  expect(Math.max(...held)).toBeGreaterThan(0);
  // The stream of the response can be resumed.
  expect(memory.heldBytes).toBe(1_024);
});

it('the entries of a batch are started at once where no memory is left to keep them', async () => {
  const { order, memory, responses } = await batchOf((budget) => {
    expect(budget.tryCharge('principal ada', 499_000)).toBe(true);
  });
  expect(order.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(responses).toEqual([1, 2, 3, 4, 5]);
  expect(memory.heldBytes).toBe(499_000);
});
