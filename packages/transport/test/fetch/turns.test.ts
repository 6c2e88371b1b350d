import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { defaultFetch } from '../../src/fetch/node.js';
import { readInTurns } from '../../src/fetch/read-in-turns.js';
import { loopTurns } from '../../src/internal.js';
import { listening, manual, serve } from './servers.js';
import { workTime } from '../work-time.js';

it('a response waits for one large message of another holder at a time, and not for all of them', async () => {
  const url = await serve((_, response) => response.end('ok'));
  const pass = await workTime();
  let parsed = 0;
  for (let message = 0; message < 300; message += 1)
    loopTurns.run('principal ada', () => {
      parsed += 1;
      pass(20);
    });
  const response = await defaultFetch(url, manual);
  expect(await response.text()).toBe('ok');
  expect(parsed).toBeGreaterThan(0);
  expect(parsed).toBeLessThan(100);
  await vi.waitUntil(() => parsed === 300);
});

it('nothing is read from a connection whose last piece waits, also where its reader resumes it', async () => {
  const server = createServer((socket) => socket.end(Buffer.alloc(200_000)));
  const [host, port] = (await listening(server)).split(':');
  const pass = await workTime();
  let isOver = false;
  const useUp = (): void => {
    if (isOver) return;
    pass(20);
    loopTurns.run('principal ada', useUp);
  };
  onTestFinished(() => void (isOver = true));
  loopTurns.run('principal ada', useUp);
  let received = 0;
  let readAhead = 0;
  const socket = connect({ host, port: Number(port), onread: readInTurns });
  socket.on('data', ({ length }: Buffer) => (received += length));
  const resumed = setInterval(() => {
    socket.resume();
    readAhead = Math.max(readAhead, socket.bytesRead - received);
  });
  onTestFinished(() => clearInterval(resumed));
  await once(socket, 'end');
  expect(received).toBe(200_000);
  expect(readAhead).toBeLessThanOrEqual(16 * 1024);
});
