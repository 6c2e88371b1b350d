import { once as happens } from 'node:events';
import { connect, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { demoServer } from '../src/demo-server.js';
import { type Listener, openListener } from '../src/listen/listener.js';
import { tempFolder } from './desk.js';

/** A listener with TLS, and a connection to it that begins no handshake: for that it needs no certificate. */
async function silent(): Promise<{ readonly listener: Listener; readonly socket: Socket }> {
  const server = await demoServer({ root: await tempFolder() });
  const listener = await openListener(server, {
    port: 0,
    carriers: ['http'],
    healthy: () => server.health(),
    tls: { cert: '', key: '' },
  });
  onTestFinished(() => listener.close());
  const socket = connect(Number(new URL(listener.urls[0]!).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await happens(socket, 'connect');
  return { listener, socket };
}

it('a connection that never began its handshake does not hold up the end', async () => {
  const { listener, socket } = await silent();
  const cut = happens(socket.resume(), 'close');
  await listener.drain();
  await cut;
});

it('a connection that does not begin its handshake is cut as one that sends no headers is', async () => {
  const { setTimeout: within } = Socket.prototype;
  const limits: number[] = [];
  const spy = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (
    this: Socket,
    ms,
    callback,
  ) {
    limits.push(ms);
    // 10 s pass quickly.
    return within.call(this, ms === 10_000 ? 10 : ms, callback);
  });
  onTestFinished(() => spy.mockRestore());
  const { socket } = await silent();
  const [hadError] = await happens(socket.resume(), 'close');
  expect(hadError).toBe(false);
  expect(limits).toContain(10_000);
});
