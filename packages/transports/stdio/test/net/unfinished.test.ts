import { MemoryBudget } from '@rxmcp/transport';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveSocket } from '../../src/net.js';
import { turnsUntil } from '../child.js';
import { ping, raw } from './sockets.js';

const mebibyte = 1024 * 1024;

/** A server within a budget, at a port for each principal. */
async function withinBudget(maxBytes: number, ...principals: string[]) {
  const memory = new MemoryBudget({ maxBytes });
  const heard: Recording[] = [];
  const handler = connectionHandler((connection) => {
    const one = recording(() => {
      connection.send({ jsonrpc: '2.0', id: 1, result: {} }).catch(() => undefined);
    });
    heard.push(one);
    return one;
  });
  const handles = await Promise.all(
    principals.map((principal) => serveSocket({ ...handler, memory }, { port: 0, principal })),
  );
  onTestFinished(() => Promise.all(handles.map((handle) => handle.close())).then(() => undefined));
  return { memory, heard, ports: handles.map(({ port }) => port) };
}

test('lines that are never finished are charged, and cut beyond the share of their principal; another one is served', async () => {
  const { memory, heard, ports } = await withinBudget(16 * mebibyte, 'ada', 'bob');
  const [ada = 0, bob = 0] = ports;
  const sockets = Array.from({ length: 4 }, () => raw(ada));
  for (const { socket } of sockets) socket.write('"' + 'x'.repeat(3 * mebibyte));
  const cut = () => heard.flatMap(({ closeErrors }) => closeErrors);
  await turnsUntil(() => cut().length >= 2);
  expect(cut()[0]).toMatchObject({ code: 'OVERFLOW', message: expect.stringContaining('principal ada') });
  expect(memory.stats().largest.map(({ holder }) => holder)).toEqual(['principal ada']);
  const other = raw(bob);
  other.socket.write(`${JSON.stringify(ping(1))}\n`);
  await turnsUntil(() => other.text() !== '');
  for (const { socket } of [...sockets, other]) socket.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a line that has arrived in full is charged no more', async () => {
  const { memory, heard, ports } = await withinBudget(64 * mebibyte, 'ada');
  const { socket } = raw(ports[0] ?? 0);
  const text = JSON.stringify(ping(1, { pad: 'x'.repeat(3 * mebibyte) }));
  socket.write(text);
  await turnsUntil(() => memory.heldBytes > 5 * mebibyte);
  socket.write('\n');
  await turnsUntil(() => heard[0]?.messages.length === 1);
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a line that has not arrived after 30 s ends its connection', async () => {
  const { heard, ports } = await withinBudget(64 * mebibyte, 'ada');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, text } = raw(ports[0] ?? 0);
  const line = `${JSON.stringify(ping(1))}\n`;
  let answers = 0;
  const answered = (): Promise<void> => {
    answers += 1;
    return turnsUntil(() => text().split('\n').length > answers);
  };
  // A line that arrives in full begins the time anew.
  for (let round = 0; round < 3; round += 1) {
    socket.write(line + line.slice(0, 5));
    await answered();
    vi.advanceTimersByTime(20_000);
    socket.write(line.slice(5));
    await answered();
  }
  expect(heard[0]?.closeErrors).toEqual([]);
  socket.write(line + line.slice(0, 5));
  await answered();
  vi.advanceTimersByTime(30_000);
  await turnsUntil(() => heard[0]?.closeErrors.length === 1);
  expect(heard[0]?.closeErrors).toMatchObject([{ code: 'STALLED' }]);
});
