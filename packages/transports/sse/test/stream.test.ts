import type { ServerResponse } from 'node:http';
import { processMemory } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { leaveMemory } from '../../../../vitest.memory.js';
import { inOwnProcess } from '../../../../vitest.process.js';
import { connected, event, hostile, streaming } from './hostile.js';
import { stand, turnsUntil } from './stand.js';

const note = { jsonrpc: '2.0', method: 'note' };

/** A conforming opening, then whatever the test writes. */
async function opened(options: Parameters<typeof connected>[1] = {}) {
  let response: ServerResponse | undefined;
  const server = await hostile((given) => void (response = streaming(given)));
  const client = await connected(server.url, options);
  return { ...server, ...client, stream: response as unknown as ServerResponse };
}

describe('row 86: valid contents of a stream', () => {
  test.each([
    ['lines that end with CR only', 'event: message\rdata: {"jsonrpc":"2.0","method":"note"}\r\r:\n'],
    ['CRLF', 'event: message\r\ndata: {"jsonrpc":"2.0","method":"note"}\r\n\r\n'],
    ['an id with a NUL', `id: a\u0000b\n${event(note)}`],
    ['an id', `id: 7\n${event(note)}`],
    ['no name, which means message', `data: ${JSON.stringify(note)}\n\n`],
    ['data in two lines', 'data: {"jsonrpc":"2.0",\ndata: "method":"note"}\n\n'],
    ['unknown events and fields', `event: ping\ndata: x\n\nfoo: bar\n\n${event(note)}`],
    ['an event without data', `event: message\n\n${event(note)}`],
    [
      'every kind of retry',
      `retry: 1e99\n\nretry: 0\n\nretry: -1\n\nretry: abc\n\nretry: 99999999999\n\n${event(note)}`,
    ],
    ['a comment in the middle', `event: message\n: hm\ndata: ${JSON.stringify(note)}\n\n`],
  ])('%s', async (_, text) => {
    const { stream, record } = await opened();
    stream.write(text);
    await turnsUntil(() => record.messages.length === 1);
    expect(record.messages).toEqual([note]);
    expect([record.faults, record.closeErrors]).toEqual([[], []]);
  });

  test.each([
    ['are not JSON', '{'],
    ['are not UTF-8', '\xff'],
  ])('a thousand messages that %s: each is reported, with turns for others in between', async (_, data) => {
    const { stream, record } = await opened();
    stream.write(Buffer.from(`data:${data}\n\n`.repeat(1_000), 'latin1'));
    stream.write(event(note));
    const perTurn: number[] = [];
    for (let before = 0; record.messages.length === 0; before = record.faults.length) {
      await new Promise(setImmediate);
      perTurn.push(record.faults.length - before);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(512);
    expect(record.faults).toHaveLength(1_000);
    expect(record.closeErrors).toEqual([]);
  });

  test('row 5: bytes that come one by one', async () => {
    const { stream, record } = await opened();
    const message = { jsonrpc: '2.0', method: 'note', params: { text: 'é漢😀' } };
    for (const byte of Buffer.from(event(message))) {
      stream.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await turnsUntil(() => record.messages.length === 1);
    expect(record.messages).toEqual([message]);
  });

  test.each([
    [131_070, 1],
    [131_071, 0],
  ])('of an event with %i lines of data, %i message arrives', async (lines, arrive) => {
    const { stream, record } = await opened();
    stream.write(`event: message\n${'data\n'.repeat(lines - 1)}data: ${JSON.stringify(note)}\n\n`);
    await turnsUntil(() => record.messages.length + record.closeErrors.length === 1);
    expect(record.messages).toHaveLength(arrive);
    expect(record.closeErrors).toMatchObject(arrive === 1 ? [] : [{ code: 'OVERFLOW' }]);
  });

  test('a flood of comments keeps no memory', async () => {
    const fixture = new URL('./fixtures/comments.ts', import.meta.url);
    const found = await inOwnProcess<{ text: string; grownMiB: number }>(fixture, event(note));
    expect(found.text).toBe(event(note));
    expect(found.grownMiB).toBeLessThan(128);
  });

  test.each([
    ['what is no JSON', event(note).replace('{', '('), 'PARSE_ERROR'],
    ['row 6: bytes that are not UTF-8', Buffer.from('data: {"a":"\xff\xfe"}\n\n', 'latin1'), 'PARSE_ERROR'],
    ['row 19: a depth over 128', `data: ${'['.repeat(200)}${']'.repeat(200)}\n\n`, 'INVALID_MESSAGE'],
    ['row 17: two methods', 'data: {"jsonrpc":"2.0","method":"a","method":"b"}\n\n', 'INVALID_MESSAGE'],
  ])('%s is a fault of one event', async (_, bytes, code) => {
    const { stream, record } = await opened();
    stream.write(bytes);
    stream.write(event(note));
    await turnsUntil(() => record.messages.length === 1);
    expect(record.faults).toMatchObject([{ code }]);
    expect(record.closeErrors).toEqual([]);
  });

  test.each([
    ['with an end', (size: number) => `data: ${'x'.repeat(size)}\n\n`],
    ['without an end', (size: number) => `data: ${'x'.repeat(size)}`],
    ['of many lines', (size: number) => 'data: xxxxxxxx\n'.repeat(size / 8 + 1)],
  ])('an event over the limit, %s, ends the connection without a reconnect', async (_, text) => {
    const { stream, record, requests, sockets } = await opened({ maxEventBytes: 64 * 1024 });
    stream.write(event(note) + text(64 * 1024 + 100));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.messages).toEqual([note]);
    expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
    await turnsUntil(() => sockets() === 0);
    expect(requests).toEqual(['GET /sse']);
  });

  test('a response larger than the send limit is read, up to 16 MiB', async () => {
    const { stream, record } = await opened();
    const big = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(6 * 1024 * 1024) } };
    stream.write(event(big));
    await turnsUntil(() => record.messages.length === 1);
    expect(record.messages).toEqual([big]);
  });
});

describe('what has come of an event', () => {
  const large = event({ ...note, params: { text: 'x'.repeat(400_000) } });
  const memory = processMemory();

  test('is charged until the event is complete, or the connection has closed', async () => {
    const { stream, record, connection } = await opened();
    const idle = memory.heldBytes;
    for (const ends of [true, false]) {
      stream.write(large.slice(0, 300_000));
      await turnsUntil(() => memory.heldBytes > idle + 290_000);
      if (ends) stream.write(large.slice(300_000));
      else await connection.close();
      await turnsUntil(() => memory.heldBytes === idle);
    }
    expect(record.messages).toHaveLength(1);
  });

  test('ends the connection with OVERFLOW where no memory is left', async () => {
    leaveMemory(memory, 200_000);
    const { stream, record } = await opened();
    stream.write(large.slice(0, 300_000));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
  });
});

describe('the end of a stream', () => {
  test('in order is PEER_CLOSED, without a reconnect', async () => {
    const { stream, record, requests } = await opened();
    stream.end(event(note));
    await turnsUntil(() => record.closeErrors.length === 1);
    expect([record.messages, record.closeErrors]).toMatchObject([[note], [{ code: 'PEER_CLOSED' }]]);
    // The reconnect of an EventSource would come after its `retry`.
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(requests).toEqual(['GET /sse']);
  });

  test('fault 9: in the middle of an event delivers no part of it', async () => {
    const bytes = event({ ...note, params: { text: 'é' } });
    for (let cut = 1; cut < bytes.length - 1; cut += 5) {
      const { stream, record } = await opened();
      stream.write(event(note));
      stream.end(Buffer.from(bytes).subarray(0, cut));
      await turnsUntil(() => record.closeErrors.length === 1);
      expect(record.messages).toEqual([note]);
      expect(record.closeErrors).toMatchObject([{ code: 'PEER_CLOSED' }]);
      expect(record.faults.every(({ code }) => code === 'TRUNCATED')).toBe(true);
    }
  });

  test('fault 8: a cut is CONNECTION_LOST at once, without any timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { stream, record } = await opened();
    stream.socket?.resetAndDestroy();
    await turnsUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });

  test('fault 7: silence after keep-alives is noticed within 46 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { stream, record } = await opened();
      const alive = async (): Promise<void> => {
        stream.write(`: keepalive\n\n${event(note)}`);
        const before = record.messages.length;
        await turnsUntil(() => record.messages.length > before);
      };
      await alive();
      vi.advanceTimersByTime(600_000);
      expect(record.closeErrors).toEqual([]);
      await alive();
      vi.advanceTimersByTime(15_000);
      await alive();
      vi.advanceTimersByTime(15_000);
      await alive();
      vi.advanceTimersByTime(44_999);
      expect(record.closeErrors).toEqual([]);
      vi.advanceTimersByTime(1_001);
      expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('row 85: output of a server is read as it was written', () => {
  test.each(['\n', '\r', '\r\n', '\u0000', '\u2028', '\n\nevent: endpoint\ndata: /x\n\n', 'data: {}\n\n'])(
    '%j in a message',
    async (text) => {
      const { url, sessions } = await stand();
      const { record } = await connected(url);
      const message = { jsonrpc: '2.0', method: text, params: { [text]: text } } as const;
      await turnsUntil(() => sessions.length === 1);
      await sessions[0]?.connection.send(message);
      await turnsUntil(() => record.messages.length === 1);
      expect(record.messages).toEqual([message]);
      expect(record.faults).toEqual([]);
    },
  );
});
