import type { ConnectionHandler, Connection } from '@rxmcp/transport';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test } from 'vitest';
import { sseFetchHandler } from '../src/fetch.js';
import { sse } from '../src/index.js';
import { serveSse } from '../src/node.js';
import { ask, openRaw } from './stand.js';

/** Throws for the first connection, after what `first` does with it, and takes the others. */
function failingOnce(first: (connection: Connection) => void = () => undefined): ConnectionHandler {
  const { accept } = connectionHandler(() => recording());
  let calls = 0;
  return {
    accept(connection) {
      calls += 1;
      if (calls > 1) return accept(connection);
      first(connection);
      throw new Error('secret');
    },
  };
}

async function served(acceptor: ConnectionHandler): Promise<string> {
  const handle = await serveSse(acceptor, { maxSessions: 1 });
  onTestFinished(() => handle.close());
  return handle.url;
}

test('fault 28: an acceptor that throws costs one response, and no place', async () => {
  const url = await served(failingOnce());
  const { status, body } = await ask(url);
  expect(status).toBe(500);
  expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', error: { code: -32603, message: 'internal error' } });
  expect((await openRaw(url)).status).toBe(200);
});

test('fault 28: one that throws with the stream begun cuts it', async () => {
  const much = { jsonrpc: '2.0', method: 'x'.repeat(100_000) } as const;
  const url = await served(failingOnce((connection) => void connection.send(much).catch(() => undefined)));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow(TypeError);
  expect((await openRaw(url)).status).toBe(200);
});

test('fault 28: its client is notified that the dial failed, and may dial again', async () => {
  const transport = sse(await served(failingOnce()));
  await expect(transport.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', details: { status: 500 } });
  const connection = await transport.dial();
  await connection.close();
});

test('fault 28: between Request and Response it is the same', async () => {
  const handler = sseFetchHandler(failingOnce(), { maxSessions: 1 });
  onTestFinished(() => handler.close());
  const statuses: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const { status, body } = await handler(new Request('http://localhost/sse'));
    statuses.push(status);
    await body?.cancel();
  }
  expect(statuses).toEqual([500, 200]);
});
