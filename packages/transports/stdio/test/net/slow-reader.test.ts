import { Duplex } from 'node:stream';
import type { Connection } from '@rxmcp/transport';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { duplexConnection } from '../../src/net.js';

const pieceBytes = 64 * 1024;

interface Slow {
  readonly stream: Duplex;
  readonly connection: Connection;
  readonly heard: Recording;
  /** What it took, as text. */
  taken(): string;
  /** Lets virtual time pass, and the streams work. */
  pass(ms: number): Promise<void>;
}

/** A connection over a stream that takes 64 KiB in 50 ms, of whatever it is given, until it stops after `lasts` writes. */
function slow(lasts = Infinity): Slow {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const chunks: Buffer[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      if (chunks.length === lasts) return;
      const take = (): void => (chunks.push(chunk), done());
      setTimeout(take, 50 * Math.ceil(chunk.length / pieceBytes));
    },
  });
  const connection = duplexConnection(stream, { writeTimeoutMs: 300 });
  const heard = recording();
  connection.start(heard);
  return {
    stream,
    connection,
    heard,
    taken: () => Buffer.concat(chunks).toString(),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 10) {
        vi.advanceTimersByTime(10);
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test.each([
  ['ASCII', 'x'.repeat(2 * 1024 * 1024)],
  ['other letters', `x${'😀'.repeat(300_000)}`],
])('a message of 2 MiB of %s reaches a slow reader, and the next one after it', async (_, text) => {
  const { connection, heard, taken, pass } = slow();
  const [one, two] = [text, 'short'].map(
    (pad) => ({ jsonrpc: '2.0', method: 'm', params: { pad } }) as const,
  );
  const sends = [connection.send(one!)];
  await pass(10);
  sends.push(connection.send(two!));
  await pass(2_500);
  expect(heard.closeErrors).toEqual([]);
  expect(taken()).toBe(`${JSON.stringify(one)}\n${JSON.stringify(two)}\n`);
  await Promise.all(sends);
  expect(vi.getTimerCount()).toBe(0);
});

test('one that stops in the middle of a message ends with STALLED', async () => {
  const { connection, heard, pass } = slow(3);
  const text = 'x'.repeat(2 * 1024 * 1024);
  const sent = connection.send({ jsonrpc: '2.0', method: text }).catch((error: unknown) => error);
  await pass(400);
  expect(heard.closeErrors).toEqual([]);
  await pass(100);
  expect(heard.closeErrors).toMatchObject([{ code: 'STALLED' }]);
  expect(await sent).toMatchObject({ code: 'STALLED' });
});

test('a message that has begun is sent in full where the other side says no more', async () => {
  const { stream, connection, heard, taken, pass } = slow();
  const message = { jsonrpc: '2.0', method: 'x'.repeat(500_000) } as const;
  void connection.send(message).catch(() => undefined);
  await pass(100);
  stream.push(null);
  await pass(700);
  expect(heard.closeErrors).toEqual([undefined]);
  expect(taken()).toBe(`${JSON.stringify(message)}\n`);
});

test('a small burst is one write', async () => {
  const { stream, connection, pass } = slow();
  const write = vi.spyOn(stream, 'write');
  for (let id = 0; id < 100; id += 1) void connection.send({ jsonrpc: '2.0', id, method: 'ping' });
  await pass(60);
  expect(write).toHaveBeenCalledOnce();
});
