import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connectionHandler, recording } from '../src/recording.js';
import { turns } from '../src/base/clock.js';
import type { Tcp } from './readme/tcp-module.js';

/* The behaviour of a copied TCP transport where a client asks and does not read. */

const { serveTcp } = (await import(new URL('./readme/tcp.mjs', import.meta.url).href)) as Tcp;
const asked = 5_000;
const result = { text: 'x'.repeat(10_000) };
const clear: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const go of clear.splice(0).reverse()) await go();
});

test('it takes no more requests while its responses wait, and all of them once they are read', async () => {
  const { socket, heard } = await unread();
  await quiet(() => heard.messages.length);
  expect(heard.messages.length).toBeLessThan(asked / 2);
  let answers = 0;
  socket.on('data', (chunk: Uint8Array) => {
    for (const byte of chunk) if (byte === 10) answers += 1;
  });
  await vi.waitFor(() => expect(answers).toBe(asked));
});

test('pending answers end with the connection when it is reset, and get its cause', async () => {
  const { socket, heard, failed } = await unread();
  await quiet(() => heard.messages.length);
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(heard.closeErrors).toHaveLength(1));
  await turns();
  expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  expect(failed.size).toBe(1);
  expect(failed).toContain(heard.closeErrors[0]);
});

/** A client that has asked for much more than it reads. */
async function unread(): Promise<{
  readonly socket: Socket;
  readonly heard: ReturnType<typeof recording>;
  /** Why answers were not sent. */
  readonly failed: Set<unknown>;
}> {
  const failed = new Set<unknown>();
  let heard = recording();
  const acceptor = connectionHandler((connection) => {
    heard = recording((message) => {
      const { id } = message as { id: number };
      connection.send({ jsonrpc: '2.0', id, result }).catch((error: unknown) => failed.add(error));
    });
    return heard;
  });
  const { port, close } = await serveTcp(acceptor);
  clear.push(close);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  clear.push(() => void socket.destroy());
  await once(socket, 'connect');
  const requests = Array.from(
    { length: asked },
    (_, id) => `{"jsonrpc":"2.0","id":${String(id)},"method":"m"}\n`,
  );
  socket.write(requests.join(''));
  await vi.waitFor(() => expect(heard.messages.length).toBeGreaterThan(0));
  return { socket, heard, failed };
}

/** Waits until nothing more comes. */
async function quiet(count: () => number): Promise<void> {
  for (let seen = -1; seen !== count();) {
    seen = count();
    await turns(200);
  }
}
