import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { clientMessages } from '@rxmcp/transport/internal';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { WsChannel } from '../src/channel/ws-channel.js';

class Socket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly pongs: string[] = [];
  pong(data: Buffer): void {
    this.pongs.push(data.toString());
    this.bufferedAmount += 131;
  }
}

test('pings are answered as long as at most 1 MiB waits to be read', () => {
  const socket = new Socket();
  new WsChannel(socket as unknown as WebSocket, {
    stream: new PassThrough(),
    writeTimeoutMs: 30_000,
    heartbeatIntervalMs: 15_000,
    isDialled: true,
    memory: { holder: 'test', unfinished: clientMessages() },
    closeCode: () => 1000,
  });
  const ping = (text: string): boolean => socket.emit('ping', Buffer.from(text));
  for (let at = 0; at < 20_000; at += 1) ping(String(at));
  expect(socket.pongs).toHaveLength(Math.floor((1024 * 1024) / 131) + 1);
  socket.bufferedAmount = 0;
  ping('later');
  expect(socket.pongs.at(-1)).toBe('later');
  socket.readyState = 2;
  ping('closing');
  expect(socket.pongs.at(-1)).toBe('later');
});
