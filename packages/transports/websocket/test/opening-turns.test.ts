import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { webSocketHandler } from '../src/node.js';

test('connections that are asked for at once are opened in turns of the event loop', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let opened = 0;
  const handler = webSocketHandler(
    connectionHandler(() => {
      opened += 1;
      vi.advanceTimersByTime(20);
      return recording();
    }),
  );
  const headers = {
    host: 'localhost',
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA==',
    'sec-websocket-protocol': 'mcp',
  };
  const request = {
    method: 'GET',
    url: '/mcp',
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: {},
  };
  const sockets = Array.from(
    { length: 3 },
    () => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }),
  );
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await handler.close();
  });
  for (const socket of sockets)
    handler.upgrade(request as unknown as IncomingMessage, socket, Buffer.alloc(0));
  for (const expected of [1, 2, 3]) {
    expect(opened).toBe(expected);
    // As often as a loop looks for input before what waits.
    for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
  }
});
