import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { endBatched, flushBatchedResponses } from '../../src/node/batched-responses.js';

/** A clock that stands still: a busy machine makes no connection slow here. */
let clock = performance.now();

beforeEach(() => {
  // Long after what a test before may have held up.
  clock += 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** All that the client has received. */
  heard(): string;
  /** Its next request. */
  again(): Promise<Asked>;
}

/** So many connections, each with a request that waits for its response. */
async function asked(count: number): Promise<Asked[]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (client: Socket, heard: () => string): Promise<Asked> => {
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    return { request, response, heard, again: () => ask(client, heard) };
  };
  const { port } = server.address() as AddressInfo;
  const all: Asked[] = [];
  for (let at = 0; at < count; at += 1) {
    const client = connect(port, '127.0.0.1');
    let text = '';
    client.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    all.push(await ask(client, () => text));
  }
  return all;
}

function respond({ request, response }: Asked, body: string): void {
  endBatched(request.socket, response.writeHead(200, { 'content-length': body.length }), body);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('responses of one turn on several connections are all sent at its end', async () => {
  const all = await asked(3);
  all.forEach((one, at) => respond(one, `response ${at}`));
  expect(all.map(({ response }) => response.writableEnded)).toEqual([false, false, false]);
  await nextTurn();
  expect(all.map(({ response }) => response.writableEnded)).toEqual([true, true, true]);
  for (const [at, { heard }] of all.entries()) await expect.poll(heard).toMatch(`\r\n\r\nresponse ${at}`);
});

test('a connection that asks alone does not wait', async () => {
  const [one] = await asked(1);
  respond(one!, 'first');
  await expect.poll(one!.heard).toMatch('first');
  const next = await one!.again();
  respond(next, 'second');
  expect(next.response.writableEnded).toBe(true);
  await expect.poll(one!.heard).toMatch('second');
});

test('no more than 32 wait for one another', async () => {
  const all = await asked(33);
  for (const one of all.slice(0, 31)) respond(one, 'x');
  expect(all.filter(({ response }) => response.writableEnded)).toHaveLength(0);
  respond(all[31]!, 'x');
  expect(all.filter(({ response }) => response.writableEnded)).toHaveLength(32);
  respond(all[32]!, 'x');
  await nextTurn();
  expect(all[32]!.response.writableEnded).toBe(true);
});

test('a long response does not wait', async () => {
  const [long, short] = await asked(2);
  respond(short!, 'x'.repeat(4_096));
  respond(long!, 'x'.repeat(4_097));
  expect(short!.response.writableEnded).toBe(false);
  expect(long!.response.writableEnded).toBe(true);
});

test('a client that leaves before the end of the turn causes no error', async () => {
  const [gone, other] = await asked(2);
  const errors: unknown[] = [];
  gone!.response.on('error', (error) => errors.push(error));
  respond(gone!, 'lost');
  respond(other!, 'heard');
  gone!.response.destroy();
  await expect.poll(other!.heard).toMatch('heard');
  await nextTurn();
  expect(errors).toEqual([]);
});

test('an end that throws does not affect the others', async () => {
  const [wrapped, other] = await asked(2);
  wrapped!.response.end = () => {
    throw new Error('of some middleware');
  };
  respond(wrapped!, 'lost');
  respond(other!, 'heard');
  await expect.poll(other!.heard).toMatch('heard');
  expect(wrapped!.response.destroyed).toBe(true);
});

test('each ends in the async context of its own request', async () => {
  const all = await asked(3);
  const user = new AsyncLocalStorage<number>();
  const seen: unknown[] = [];
  all.forEach((one, at) =>
    user.run(at, () => {
      one.response.on('finish', () => seen.push(user.getStore()));
      respond(one, 'x');
    }),
  );
  await expect.poll(() => seen).toEqual([0, 1, 2]);
});

test('a server about to cut the connections ends pending responses', async () => {
  const [one] = await asked(1);
  respond(one!, 'at once');
  flushBatchedResponses();
  expect(one!.response.writableEnded).toBe(true);
  await expect.poll(one!.heard).toMatch('at once');
});

test('over TLS no response waits', async () => {
  const [one] = await asked(1);
  Object.assign(one!.request.socket, { encrypted: true });
  respond(one!, 'x');
  expect(one!.response.writableEnded).toBe(true);
});

test('while handlers hold the event loop no response waits', async () => {
  const [first, slow, next] = await asked(3);
  respond(first!, 'x');
  clock += 6;
  respond(slow!, 'x');
  expect([first!, slow!].map(({ response }) => response.writableEnded)).toEqual([true, true]);
  respond(next!, 'x');
  expect(next!.response.writableEnded).toBe(true);
  clock += 1_000;
  const again = await next!.again();
  respond(again, 'x');
  expect(again.response.writableEnded).toBe(false);
});
