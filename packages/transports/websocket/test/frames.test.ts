import { describe, expect, test } from 'vitest';
import { webSocket } from '../src/index.js';
import { frame } from './frames.js';
import { upgrade } from './raw.js';
import { recording } from '@rxmcp/transport-tck/recording';
import { stand, turnsUntil } from './stand.js';

const request = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const badText = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
const manyFragments = Buffer.concat([
  frame('', { fin: false }),
  ...Array.from({ length: 16_385 }, () => frame('a', { opcode: 0, fin: false })),
]);

describe('row 54: frames that end their connection', () => {
  test.each([
    ['a message over the limit', frame('x'.repeat(2_000)), 1009, 'OVERFLOW'],
    ['a length over the limit, before its bytes', frame('x', { length: 1_000_000 }), 1009, 'OVERFLOW'],
    ['a length over 2^53', frame('x', { length: 2 ** 60 }), 1009, 'OVERFLOW'],
    ['row 6: bad UTF-8', frame(badText), 1007, 'PARSE_ERROR'],
    ['a reserved bit', frame(request, { rsv: 1 }), 1002, 'INVALID_MESSAGE'],
    ['row 55: a compressed frame', frame(request, { rsv: 4 }), 1002, 'INVALID_MESSAGE'],
    ['an unknown opcode', frame(request, { opcode: 3 }), 1002, 'INVALID_MESSAGE'],
    ['a continuation of nothing', frame(request, { opcode: 0 }), 1002, 'INVALID_MESSAGE'],
    ['a ping in fragments', frame('', { opcode: 9, fin: false }), 1002, 'INVALID_MESSAGE'],
    ['an unmasked frame', frame(request, { masked: false }), 1002, 'INVALID_MESSAGE'],
    ['more than 16,384 fragments', manyFragments, 1008, 'OVERFLOW'],
    ['a binary frame', frame(request, { opcode: 2 }), 1003, 'INVALID_MESSAGE'],
  ])(
    '%s',
    async (_, bytes, closeCode, code) => {
      const { url, connection } = await stand({
        maxMessageBytes: 1_000 * (bytes === manyFragments ? 1_000 : 1),
      });
      const { socket, closeCode: told } = await upgrade(url);
      socket.write(bytes);
      expect(await told()).toBe(closeCode);
      const { record } = await connection();
      expect(record.messages).toEqual([]);
      expect(record.closeErrors).toMatchObject([{ code, details: { closeCode } }]);
    },
    10_000,
  );

  test('at 4 MiB by default, and just under it passes', async () => {
    const { url, connection } = await stand();
    const { socket, closeCode } = await upgrade(url);
    const room = 4 * 1024 * 1024 - '{"jsonrpc":"2.0","method":""}'.length;
    const message = { jsonrpc: '2.0', method: 'x'.repeat(room) };
    socket.write(frame(JSON.stringify(message)));
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
    socket.write(frame(`${JSON.stringify(message)} `));
    expect(await closeCode()).toBe(1009);
  });
});

describe('frames that end nothing', () => {
  test.each([
    ['in fragments', [frame(request.slice(0, 9), { fin: false }), frame(request.slice(9), { opcode: 0 })]],
    ['in one-byte writes', [...frame(request)].map((byte) => Buffer.from([byte]))],
    [
      'with a ping between its fragments',
      [frame('{', { fin: false }), frame('', { opcode: 9 }), frame(request.slice(1), { opcode: 0 })],
    ],
  ])('a message %s', async (_, chunks) => {
    const { url, connection } = await stand();
    const { socket } = await upgrade(url);
    socket.setNoDelay(true);
    for (const chunk of chunks) {
      socket.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
    expect(record.messages).toEqual([JSON.parse(request)]);
  });

  test('row 3: many messages in one chunk, more than the limit together', async () => {
    const { url, connection } = await stand({ maxMessageBytes: 200 });
    const { socket } = await upgrade(url);
    socket.write(Buffer.concat(Array.from({ length: 100 }, () => frame(request))));
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 100);
  });

  test('row 12: invalid JSON is a fault with the response -32700', async () => {
    const { url, connection } = await stand();
    const { socket } = await upgrade(url);
    socket.write(Buffer.concat([frame('{"jsonrpc":'), frame(request)]));
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
    expect(record.faults).toMatchObject([{ code: 'PARSE_ERROR', reply: { error: { code: -32700 } } }]);
    expect(record.closeErrors).toEqual([]);
  });

  test('row 4: a message that is cut off is never parsed', async () => {
    const bytes = frame(request);
    for (let at = 1; at < bytes.length; at += 7) {
      const { url, connection } = await stand();
      const { socket } = await upgrade(url);
      socket.end(bytes.subarray(0, at));
      const { record } = await connection();
      await turnsUntil(() => record.closeErrors.length === 1);
      expect([record.messages, record.closeErrors]).toMatchObject([[], [{ code: 'CONNECTION_LOST' }]]);
    }
  });
});

describe('row 57: the reason of a close', () => {
  test('is reported escaped and short, with its status code', async () => {
    const { url, connection } = await stand();
    const { socket } = await upgrade(url);
    const reason = Buffer.from('\u001b[31mred\u202e');
    socket.write(frame(Buffer.concat([Buffer.from([4001 >> 8, 4001 & 0xff]), reason]), { opcode: 8 }));
    const { record } = await connection();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors[0]?.message).toBe(
      'the peer closed the connection with status 4001: "\\u001b[31mred\\u202e"',
    );
  });

  test('a close frame over 125 bytes, or with half a code, is 1002', async () => {
    for (const payload of [Buffer.alloc(126, 3), Buffer.from([3])]) {
      const { url } = await stand();
      const { socket, closeCode } = await upgrade(url);
      socket.write(frame(payload, { opcode: 8 }));
      expect(await closeCode()).toBe(1002);
    }
  });
});

test('a client holds servers to the same limits', async () => {
  const { url, connection } = await stand();
  const client = await webSocket(url, { maxMessageBytes: 500 }).dial();
  const record = recording();
  client.start(record);
  const { connection: served, record: far } = await connection();
  void served.send({ jsonrpc: '2.0', method: 'x'.repeat(1_000) });
  await turnsUntil(() => record.closeErrors.length === 1 && far.closeErrors.length === 1);
  expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW', details: { closeCode: 1009 } }]);
  expect(far.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { closeCode: 1009 } }]);
});
