import { connect, type Socket } from 'node:net';
import { MemoryBudget, processMemory } from '@rxmcp/transport';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveSocket, type ServeSocketOptions, socket } from '../../src/net.js';
import { turnsUntil } from '../child.js';
import { bare, ping } from './sockets.js';

const kibibyte = 1024;
const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'x'.repeat(60 * kibibyte) })}\n`;

/** A server whose clients at one address have room for four unfinished lines of 50 KiB, and the memory that it charges. */
async function served(
  options: Partial<ServeSocketOptions> = {},
  onMessage: (client: number) => void = () => undefined,
) {
  const memory = new MemoryBudget({ maxBytes: 64 * kibibyte * kibibyte });
  const heard: Recording[] = [];
  const handler = connectionHandler(() => {
    const client = heard.length;
    const record = recording(() => onMessage(client));
    heard.push(record);
    return record;
  });
  const limits = { maxMessageBytes: 64 * kibibyte, maxBufferedBytes: 832 * kibibyte };
  const { port, close } = await serveSocket({ ...handler, memory }, { port: 0, ...limits, ...options });
  onTestFinished(close);
  const connected = async (): Promise<Socket> => {
    const one = connect(port, '127.0.0.1');
    onTestFinished(() => void one.destroy());
    one.on('error', () => undefined);
    const before = heard.length;
    await turnsUntil(() => heard.length > before);
    return one;
  };
  return { memory, heard, connected };
}

/** Stops the clock by which turns end. */
function virtualClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Makes a message take a third of a turn. */
const takeTime = (): void => void vi.advanceTimersByTime(3);

test('unfinished lines are charged to their address, and the largest is cut where there is no more room', async () => {
  const { memory, heard, connected } = await served();
  const idle = memory.heldBytes;
  const small = await connected();
  small.write('{"jsonrpc":"2.0",');
  const large = [];
  for (let count = 1; count <= 4; count += 1) {
    const one = await connected();
    one.write(line.slice(0, 50 * kibibyte));
    large.push(one);
    await turnsUntil(() => memory.heldBytes >= idle + count * 50 * kibibyte);
  }
  expect(memory.stats().largest[0]?.holder).toBe('address 127.0.0.1');
  const more = await connected();
  more.write(line.slice(0, 50 * kibibyte));
  const cut = (): readonly Recording[] => heard.filter(({ closeErrors }) => closeErrors.length > 0);
  await turnsUntil(() => cut().length === 1);
  expect(cut()[0]?.closeErrors).toMatchObject([
    { code: 'OVERFLOW', message: expect.stringContaining('"maxBufferedBytes"') },
  ]);
  expect(heard[0]?.closeErrors).toEqual([]);
  small.write('"method":"ping"}\n');
  await turnsUntil(() => heard[0]?.messages.length === 1);
  for (const one of [small, more, ...large]) one.destroy();
  await turnsUntil(() => memory.heldBytes === 0);
});

test('a line that is finished, and one whose client leaves, are charged no more', async () => {
  const { memory, heard, connected } = await served();
  const [one, other] = [await connected(), await connected()];
  const idle = memory.heldBytes;
  for (const client of [one, other]) client.write(line.slice(0, 50 * kibibyte));
  await turnsUntil(() => memory.heldBytes >= idle + 100 * kibibyte);
  one.write(line.slice(50 * kibibyte));
  await turnsUntil(() => heard[0]?.messages.length === 1);
  other.destroy();
  await turnsUntil(() => heard[1]?.closeErrors.length === 1);
  await turnsUntil(() => memory.heldBytes < idle);
});

test('one address has at most half of the connections of a port', async () => {
  const { heard, connected } = await served({ maxConnections: 4 });
  await connected();
  const second = await connected();
  const third = connect(second.remotePort as number, '127.0.0.1');
  onTestFinished(() => void third.destroy());
  third.on('error', () => undefined).resume();
  await new Promise((resolve) => third.once('close', resolve));
  expect(heard).toHaveLength(2);
  second.destroy();
  await turnsUntil(() => heard[1]?.closeErrors.length === 1);
  await connected();
  expect(heard).toHaveLength(3);
});

test('a client is charged for the unfinished line of its server', async () => {
  const idle = processMemory().heldBytes;
  let server: Socket | undefined;
  const port = await bare((one) => {
    server = one;
    one.write(line.slice(0, 50 * kibibyte));
  });
  const connection = await socket({ port }).dial();
  const record = recording();
  connection.start(record);
  await turnsUntil(() => processMemory().heldBytes >= idle + 50 * kibibyte);
  server?.write(line.slice(50 * kibibyte));
  await turnsUntil(() => record.messages.length === 1);
  expect(processMemory().heldBytes).toBe(idle);
  server?.write(line.slice(0, 50 * kibibyte));
  await turnsUntil(() => processMemory().heldBytes > idle);
  await connection.close();
  expect(processMemory().heldBytes).toBe(idle);
});

test('short lines are delivered in turns: another connection is served between them, in the order of each', async () => {
  const order: number[] = [];
  const { heard, connected } = await served({}, (client) => {
    order.push(client);
    takeTime();
  });
  const [many, few] = [await connected(), await connected()];
  virtualClock();
  many.write(Array.from({ length: 1_000 }, (_, id) => `${JSON.stringify(ping(id))}\n`).join(''));
  few.write(`${JSON.stringify(ping(1))}\n`);
  await turnsUntil(() => order.length === 1_001);
  expect(order.indexOf(1)).toBeLessThan(700);
  expect(heard[0]?.messages.map((message) => (message as { id: number }).id)).toEqual(
    Array.from({ length: 1_000 }, (_, id) => id),
  );
});

test('what waits for a turn is delivered before the end of its connection', async () => {
  const { heard, connected } = await served({}, takeTime);
  const client = await connected();
  virtualClock();
  client.end(Array.from({ length: 1_000 }, (_, id) => `${JSON.stringify(ping(id))}\n`).join(''));
  await turnsUntil(() => heard[0]?.closeErrors.length === 1);
  expect(heard[0]?.messages).toHaveLength(1_000);
  expect(heard[0]?.closeErrors).toEqual([undefined]);
});
