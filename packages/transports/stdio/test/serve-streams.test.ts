import { PassThrough } from 'node:stream';
import type { Connection } from '@rxmcp/transport';
import { acceptedImmediately } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveStdio, type ServeStdioOptions, type StdioServeHandle } from '../src/index.js';
import { until } from './child.js';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';

interface Rig {
  input: PassThrough;
  output: PassThrough;
  handle: StdioServeHandle;
  connection: Connection;
  heard: Recording;
  lines(): string[];
}

function rig(options: ServeStdioOptions = {}): Rig {
  const input = new PassThrough();
  const output = options.output === undefined ? new PassThrough() : (options.output as PassThrough);
  const heard = recording();
  const connections: Connection[] = [];
  const acceptor = connectionHandler((connection) => {
    connections.push(connection);
    const report = heard.fault;
    // As the core package does it: what can be answered is.
    heard.fault = (error) => {
      report(error);
      if (error.reply !== undefined) void connection.send({ jsonrpc: '2.0', ...error.reply });
    };
    return heard;
  });
  const handle = serveStdio(acceptor, { input, output, ...options });
  onTestFinished(() => handle.close());
  let text = '';
  if (options.output === undefined) output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const lines = (): string[] => text.split('\n').slice(0, -1);
  return { input, output, handle, connection: connections[0]!, heard, lines };
}

const note = (n: number) => ({ jsonrpc: '2.0', method: 'note', params: { n } }) as const;
const line = (value: unknown): string => JSON.stringify(value) + '\n';

describe('bad input', () => {
  test('row 1: an overlong line is answered and skipped, the third one closes', async () => {
    const { input, heard, lines, handle } = rig({ maxMessageBytes: 1_000 });
    for (let i = 0; i < 2; i += 1) {
      for (let k = 0; k < 5; k += 1) input.write('a'.repeat(500));
      input.write('\n' + line(note(i)));
    }
    await until(() => expect(heard.messages).toEqual([note(0), note(1)]));
    expect(heard.faults.map((fault) => fault.code)).toEqual(['OVERFLOW', 'OVERFLOW']);
    expect(heard.closeErrors).toEqual([]);
    input.write('a'.repeat(2_000));
    await handle.closed;
    expect(heard.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
    expect(lines().map((text) => JSON.parse(text).error.code)).toEqual([-32700, -32700, -32700]);
  });

  test('row 2: an 8 MiB line in 1 KiB chunks is read in linear time', async () => {
    const { input, heard } = rig();
    const text = Buffer.from(
      line({ jsonrpc: '2.0', method: 'big', params: { x: 'x'.repeat(8 * 1024 * 1024) } }),
    );
    const searched = vi.spyOn(Buffer.prototype, 'lastIndexOf');
    const searchedToo = vi.spyOn(Buffer.prototype, 'indexOf');
    const appended = vi.spyOn(Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array, 'set');
    onTestFinished(() => void vi.restoreAllMocks());
    for (let at = 0; at < text.length; at += 1_024) input.write(text.subarray(at, at + 1_024));
    await until(() => expect(heard.messages).toHaveLength(1));
    const bytes = (all: readonly unknown[]): number =>
      all.reduce<number>((sum, one) => sum + (one as Uint8Array).length, 0);
    // Each byte is searched once; copied once, and at most twice more while the buffer grows.
    const ofSearches = [...searched.mock.contexts, ...searchedToo.mock.contexts];
    expect(bytes(ofSearches)).toBeLessThan(1.5 * text.length);
    expect(bytes(appended.mock.calls.map(([source]) => source))).toBeLessThan(4 * text.length);
  });

  test('row 4: half a line at the end of input is TRUNCATED, never parsed', async () => {
    const { input, heard, handle } = rig();
    input.end(line(note(1)) + '{"jsonrpc":"2.0"');
    await handle.closed;
    expect(heard.messages).toEqual([note(1)]);
    expect(heard.faults).toMatchObject([{ code: 'TRUNCATED' }]);
    expect(heard.closeErrors).toEqual([undefined]);
  });

  test('row 5: characters split across chunks arrive whole', async () => {
    const { input, heard } = rig();
    const message = { jsonrpc: '2.0', method: 'é€𝄞', params: { ü: '日本' } };
    for (const byte of Buffer.from(line(message))) input.write(Uint8Array.of(byte));
    await until(() => expect(heard.messages).toEqual([message]));
  });

  test.each([
    ['row 6: invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), 'PARSE_ERROR', -32700],
    ['row 6: an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22, 0x0a]), 'PARSE_ERROR', -32700],
    ['row 7: a BOM inside the stream', Buffer.from('{}\n\ufeff{}\n'), 'PARSE_ERROR', -32700],
    ['row 12: malformed JSON', Buffer.from('{"jsonrpc":\n'), 'PARSE_ERROR', -32700],
    ['row 19: 200 levels', Buffer.from('['.repeat(200) + ']'.repeat(200) + '\n'), 'INVALID_MESSAGE', -32600],
  ])('%s is answered, and the connection lives', async (_, bytes, code, rpcCode) => {
    const { input, heard, lines } = rig();
    input.write(bytes);
    input.write(line(note(1)));
    await until(() => expect(heard.messages.at(-1)).toEqual(note(1)));
    expect(heard.faults).toMatchObject([{ code }]);
    await until(() =>
      expect(lines().map((text) => JSON.parse(text))).toMatchObject([{ error: { code: rpcCode } }]),
    );
    expect(lines()[0]).not.toContain('"id"');
  });

  test('rows 7 and 8: a BOM at the start, CRLF, blank lines and U+2028 are not faults', async () => {
    const { input, heard, connection, lines } = rig();
    const odd = { jsonrpc: '2.0', method: 'a\u2028b' } as const;
    input.write('\ufeff' + JSON.stringify(odd) + '\r\n\r\n\n  \n' + line(note(2)));
    await until(() => expect(heard.messages).toEqual([odd, note(2)]));
    expect(heard.faults).toEqual([]);
    void connection.send(odd);
    await until(() => expect(lines()).toEqual([JSON.stringify(odd)]));
  });
});

describe('writing', () => {
  test('a burst is one write', async () => {
    const { connection, output, lines } = rig();
    const chunks: number[] = [];
    output.on('data', (chunk: Buffer) => chunks.push(chunk.length));
    for (let n = 0; n < 100; n += 1) expect(connection.send(note(n))).toBe(acceptedImmediately);
    await until(() => expect(lines()).toHaveLength(100));
    expect(chunks).toHaveLength(1);
  });

  test('messages of successive microtasks are one write, and messages after a gap another', async () => {
    const { connection, output, lines } = rig();
    const chunks: number[] = [];
    output.on('data', (chunk: Buffer) => chunks.push(chunk.length));
    const after = async (microtasks: number) => {
      for (let n = 0; n < microtasks; n += 1) await undefined;
      void connection.send(note(microtasks));
    };
    // Up to a gap of four.
    for (let n = 0; n < 10; n += 1) void after(4 * n);
    await until(() => expect(lines()).toHaveLength(10));
    expect(chunks).toHaveLength(1);
    await after(0);
    await until(() => expect(lines()).toHaveLength(11));
    expect(chunks).toHaveLength(2);
  });

  test('a stream that throws ends its connection, and nothing else', async () => {
    const output = new PassThrough();
    const { connection, heard } = rig({ output });
    const cause = new Error('of a stream of the reader');
    output.write = () => {
      throw cause;
    };
    void connection.send(note(1));
    await until(() => expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', cause }]));
  });

  test('a reader that stops makes sends wait, pauses the input, and both continue when it reads', async () => {
    const output = new PassThrough({ highWaterMark: 1_000 });
    const { connection, input } = rig({ output });
    void connection.send({ jsonrpc: '2.0', method: 'big', params: { x: 'x'.repeat(3_000) } });
    await new Promise((resolve) => setImmediate(resolve));
    const sends = Array.from({ length: 1_100 }, (_, n) => connection.send(note(n)));
    expect(sends[0]).not.toBe(acceptedImmediately);
    expect(input.isPaused()).toBe(true);
    let text = '';
    output.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await Promise.all(sends);
    await until(() => expect(text.split('\n')).toHaveLength(1_102));
    expect(input.isPaused()).toBe(false);
  });

  test('a reader that never reads ends the connection with STALLED', async () => {
    const output = new PassThrough({ highWaterMark: 1_000 });
    const { connection, heard, handle } = rig({ output, writeTimeoutMs: 20 });
    void connection.send({ jsonrpc: '2.0', method: 'big', params: { x: 'x'.repeat(3_000) } });
    await handle.closed;
    expect(heard.closeErrors).toMatchObject([{ code: 'STALLED' }]);
  });

  test('a broken output is CONNECTION_LOST', async () => {
    const { output, heard, handle } = rig();
    output.destroy(new Error('EPIPE'));
    await handle.closed;
    expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });
});

test('close releases the streams and is reported once', async () => {
  const { handle, heard, input, output, connection } = rig();
  void connection.send(note(1));
  await Promise.all([handle.close(), handle.close(), handle.drain()]);
  expect(heard.closeErrors).toEqual([undefined]);
  expect(output.writableEnded).toBe(true);
  expect(input.listenerCount('data')).toBe(0);
});
