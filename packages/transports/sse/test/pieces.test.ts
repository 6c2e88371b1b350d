import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Budget, Pieces, WebExchange } from '@rxmcp/transport/guard';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRaw, stand, turnsUntil } from './stand.js';

const count = 400_000;
const mebibyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process holds, and would not release. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a body in chunks of one byte', () => {
  test('takes about as much memory as its bytes, and arrives', async () => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    const { hostname, port, pathname, search, host } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    const head = ['content-type: application/json', 'transfer-encoding: chunked'].join('\r\n');
    socket.write(`POST ${pathname + search} HTTP/1.1\r\nhost: ${host}\r\n${head}\r\n\r\n`);
    const start = '{"jsonrpc":"2.0","method":"';
    const chunks = (text: string): string => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
    const round = chunks('x'.repeat(count / 8));
    socket.write(chunks(start));
    const before = held();
    for (let at = 0; at < 8; at += 1) {
      if (!socket.write(round)) await once(socket, 'drain');
    }
    // A turn for what is still in the system.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(held() - before).toBeLessThan(32 * mebibyte);
    socket.write(`${chunks('"}')}0\r\n\r\n`);
    await turnsUntil(() => answer.startsWith('HTTP/1.1 202'));
    expect(sessions[0]?.record.messages).toEqual([{ jsonrpc: '2.0', method: 'x'.repeat(count) }]);
  });

  test('does the same between Request and Response, and keeps no buffer that a byte was cut from', async () => {
    let made = 0;
    const before = held();
    let most = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (made === 2_000) {
          most = held();
          return controller.close();
        }
        made += 1;
        // As of a parser that reads 64 KiB at a time.
        controller.enqueue(new Uint8Array(65_536).fill(made % 127).subarray(0, 1));
      },
    });
    const request = new Request('http://localhost', { method: 'POST', body, duplex: 'half' } as RequestInit);
    const limits = { maxMessageBytes: mebibyte, budget: new Budget(mebibyte), untilAnswered: false };
    const text = await new Promise<string>((resolve) => {
      const fail = (): void => resolve('');
      const taker = {
        body: (_: unknown, whole: string) => resolve(whole),
        unreadable: fail,
        abandoned: fail,
      };
      new WebExchange(request).read(limits, taker);
    });
    // All of them would be 125 MiB; some are let go a little later.
    expect(most - before).toBeLessThan(100 * mebibyte);
    const codes = Array.from({ length: 2_000 }, (_, at) => (at + 1) % 127);
    expect(text).toBe(String.fromCharCode(...codes));
  });
});

test.each([
  ['one', [5]],
  ['none', []],
  ['small ones', [1, 2, 3, 16_000, 500, 1]],
  ['large ones', [20_000, 70_000, 16_384]],
  ['both by turns', [1, 16_384, 1, 1, 40_000, 9_000, 9_000, 9_000, 3]],
])('a message in %s is the same as a whole one', (_, lengths) => {
  const pieces = new Pieces();
  const chunks = lengths.map((length, at) =>
    new Uint8Array(length).map((_zero, byte) => (at * 7 + byte) % 256),
  );
  for (const chunk of chunks) pieces.add(chunk);
  expect(Buffer.compare(pieces.whole(), Buffer.concat(chunks))).toBe(0);
  pieces.drop();
  expect([pieces.length, pieces.whole().length]).toEqual([0, 0]);
});
