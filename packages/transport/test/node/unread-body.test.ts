import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { processMemory } from '../../src/index.js';
import { NodeExchange } from '../../src/node/internal.js';

const memory = processMemory();
const holder = 'address 127.0.0.1';
const length = 50_000;

/** Sends the head of a request to a handler that waits, as for a caller that is authenticated. */
async function waiting() {
  const exchanges: NodeExchange[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const exchange = new NodeExchange(request, response);
    exchange.entered();
    exchanges.push(exchange);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(length)}\r\n\r\n`);
  await vi.waitUntil(() => exchanges.length === 1);
  return { server, socket, exchange: exchanges[0] as NodeExchange };
}

/** Sends the body too, which is charged. */
async function charged() {
  const parts = await waiting();
  parts.socket.write('x'.repeat(length));
  await vi.waitUntil(() => memory.heldBytes === length);
  expect(memory.stats().largest).toEqual([{ holder, heldBytes: length }]);
  return parts;
}

it('a body is charged to the address of its socket until it is read', async () => {
  const { exchange } = await charged();
  const limits = { maxMessageBytes: length, budget: memory };
  const text = await new Promise((resolve) => {
    const failed = (): void => resolve('failed');
    exchange.read(limits, { body: (_, all) => resolve(all), unreadable: failed, disconnected: failed });
  });
  expect(text).toBe('x'.repeat(length));
  expect(memory.heldBytes).toBe(0);
});

it('a body is charged until its client disconnects', async () => {
  const { socket } = await charged();
  socket.destroy();
  await vi.waitUntil(() => memory.heldBytes === 0);
});

it('a body is charged until the response, and its connection continues', async () => {
  const { exchange, server, socket } = await charged();
  exchange.respond(401, {}, 'who?');
  expect(memory.heldBytes).toBe(0);
  socket.write('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [second] = (await once(server, 'request')) as [IncomingMessage];
  expect(second.url).toBe('/second');
});

it('a body ends its connection where the charge is rejected', async () => {
  const { exchange, socket } = await waiting();
  expect(memory.tryCharge(holder, memory.maxBytes / 2)).toBe(true);
  socket.write('x'.repeat(length));
  await vi.waitUntil(() => exchange.isOver);
  memory.release(holder, memory.maxBytes / 2);
  expect(memory.heldBytes).toBe(0);
});
