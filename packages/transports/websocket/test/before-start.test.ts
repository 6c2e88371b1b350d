import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { clientMessages } from '@rxmcp/transport/internal';
import type { WebSocket } from 'ws';
import { expect, onTestFinished, test } from 'vitest';
import { WsChannel } from '../src/channel/ws-channel.js';

/** A socket of `ws` on which nothing is sent, with what was asked of its reading. */
function socket() {
  const asked: string[] = [];
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    pause: () => void asked.push('pause'),
    resume: () => void asked.push('resume'),
  });
  const carrier = new WsChannel(ws as unknown as WebSocket, {
    stream: new PassThrough(),
    writeTimeoutMs: 60_000,
    heartbeatIntervalMs: 60_000,
    isDialled: false,
    memory: { holder: 'test', unfinished: clientMessages() },
    closeCode: () => 1000,
  });
  onTestFinished(() => void ws.emit('close', 1000, Buffer.alloc(0)));
  const receive = (text: string): void => void ws.emit('message', Buffer.from(text), false);
  return { asked, carrier, receive };
}

test.each([
  ['64 messages', 64, 'x'],
  ['64 KiB', 1, 'x'.repeat(64 * 1024 - 32)],
])('before the start no more than %s are read, and all are delivered after it', (_, count, text) => {
  const { asked, carrier, receive } = socket();
  for (let at = 0; at < count; at += 1) receive(text);
  expect(asked).toEqual([]);
  receive('one more');
  expect(asked).toEqual(['pause']);
  const texts: string[] = [];
  const none = (): void => undefined;
  carrier.start({
    text: (taken) => void texts.push(taken),
    bytes: none,
    value: none,
    laneClosed: none,
    fault: none,
    closed: none,
  });
  expect(asked).toEqual(['pause', 'resume']);
  expect(texts).toEqual([...Array.from({ length: count }, () => text), 'one more']);
});
