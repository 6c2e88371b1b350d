import { type Connection, processMemory } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { webSocketConnection, type WebSocketLike } from '../src/index.js';
import { sockets } from '../src/socket/native.js';
import type { HandshakeOptions } from '../src/socket/handshake-options.js';
import { recording, type Recording } from '@rxmcp/transport-tck/recording';
import { pass, stand, virtualTime } from './stand.js';

/** A socket of a test: the calls that it received, and a way to have it send messages. */
class Fake extends EventTarget {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closes: (number | undefined)[] = [];
  /** What a browser lets a page say. */
  allows: (code: number) => boolean = () => true;

  send(text: string): void {
    this.sent.push(text);
  }

  close(code = 1005, reason = ''): void {
    if (!this.allows(code)) throw new RangeError(`${String(code)} is not for you`);
    if (this.closes.push(code) > 1) return;
    this.readyState = 2;
    queueMicrotask(() => this.ends(code, reason));
  }

  /** `EventTarget` knows nothing of the events of a socket. */
  face(): WebSocketLike {
    return this as unknown as WebSocketLike;
  }

  says(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  ends(code: number, reason = ''): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}

function started(fake: Fake, redialable = true): { connection: Connection; record: Recording } {
  const connection = webSocketConnection(fake.face(), { redialable });
  const record = recording();
  connection.start(record);
  return { connection, record };
}

const hello = { jsonrpc: '2.0', method: 'hello' } as const;
const text = JSON.stringify(hello);

describe('a socket of any origin', () => {
  test('must be open', () => {
    const fake = new Fake();
    fake.readyState = 0;
    expect(() => webSocketConnection(fake.face())).toThrow(TypeError);
  });

  test('that has ended already ends its connection after the start', async () => {
    const fake = new Fake();
    fake.readyState = 3;
    const { record } = started(fake);
    await Promise.resolve();
    expect(record.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  });

  test('keeps messages before the start, the end included', async () => {
    const fake = new Fake();
    const connection = webSocketConnection(fake.face());
    fake.says(text);
    fake.ends(1000);
    const record = recording();
    connection.start(record);
    await vi.waitUntil(() => record.closeErrors.length === 1);
    expect([record.messages, record.closeErrors]).toEqual([[hello], [undefined]]);
    await connection.close();
  });

  test('that sends too much before the start is closed with OVERFLOW', async () => {
    const fake = new Fake();
    const connection = webSocketConnection(fake.face());
    for (let count = 0; count <= 4_096; count += 1) fake.says(text);
    expect(fake.closes).toEqual([1008]);
    const record = recording();
    connection.start(record);
    await vi.waitUntil(() => record.closeErrors.length === 1);
    expect([record.messages.length, record.closeErrors]).toMatchObject([0, [{ code: 'OVERFLOW' }]]);
  });

  test.each([
    [1000, true, 'PEER_CLOSED'],
    [1012, true, 'PEER_CLOSED'],
    [1012, false, undefined],
    [1006, false, 'CONNECTION_LOST'],
    [4321, true, 'CONNECTION_LOST'],
  ])('that ends with %i, redialable %s, ends with %s', (code, redialable, expected) => {
    const fake = new Fake();
    const { record } = started(fake, redialable);
    fake.ends(code, 'because');
    expect(record.closeErrors.map((end) => end?.code)).toEqual([expected]);
  });

  test.each([
    ['1003', () => true, 1003],
    ['4003 where a browser forbids that', (code: number) => code === 1000 || code >= 3000, 4003],
    ['nothing where both are forbidden', () => false, undefined],
  ])('a binary frame is answered with %s', (_, allows, expected) => {
    const fake = new Fake();
    fake.allows = allows;
    const { record } = started(fake);
    fake.says(new ArrayBuffer(2));
    expect(record.closeErrors).toMatchObject([{ code: 'INVALID_MESSAGE' }]);
    expect(fake.closes[0]).toBe(expected);
  });

  test('over its bound makes sends wait, until little waits', async () => {
    virtualTime();
    const fake = new Fake();
    const { connection } = started(fake);
    fake.bufferedAmount = 2_000_000;
    let taken = false;
    void connection.send(hello).then(() => (taken = true));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(taken).toBe(false);
    fake.bufferedAmount = 200_000;
    await vi.advanceTimersByTimeAsync(20);
    expect(taken).toBe(true);
    await connection.close();
  });

  test('whose peer takes nothing for 30 s ends with STALLED; slow progress keeps it', async () => {
    virtualTime();
    const fake = new Fake();
    const { connection, record } = started(fake);
    fake.bufferedAmount = 2_000_000;
    const failed = expect(connection.send(hello)).rejects.toMatchObject({ code: 'STALLED' });
    for (let round = 0; round < 4; round += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      fake.bufferedAmount -= 1;
    }
    await vi.advanceTimersByTimeAsync(29_000);
    expect(record.closeErrors).toEqual([]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(record.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    await failed;
    expect(fake.closes).toEqual([1013]);
  });

  test('that closes accepts no sends', async () => {
    const fake = new Fake();
    const { connection } = started(fake);
    fake.readyState = 2;
    await expect(connection.send(hello)).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  test('that never answers a close is left to its platform after 2 s', async () => {
    virtualTime();
    const fake = new Fake();
    fake.ends = () => undefined;
    const { connection } = started(fake);
    const closing = connection.close();
    await vi.advanceTimersByTimeAsync(2_000);
    await closing;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the socket of a browser', () => {
  const opening = (url: string): HandshakeOptions => ({
    url: new URL(url),
    headers: {},
    credentials: undefined,
    ca: undefined,
    maxMessageBytes: 1_000,
    writeTimeoutMs: 30_000,
    heartbeatIntervalMs: 15_000,
    signal: new AbortController().signal,
  });
  /** The one of `ws` has the face of a browser's. */
  function inBrowser(socket: unknown = WebSocket): void {
    vi.stubGlobal('WebSocket', socket);
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  test('names the subprotocol and opens', async () => {
    inBrowser();
    const { url, connection } = await stand();
    const carrier = await sockets.open(opening(url));
    await connection();
    await carrier.close();
  });

  test('fails without a WebSocket, and with what a browser cannot do', async () => {
    inBrowser(undefined);
    await expect(sockets.open(opening('ws://localhost:1'))).rejects.toMatchObject({ code: 'DIAL_FAILED' });
    inBrowser();
    const headers = { authorization: 'a' };
    await expect(sockets.open({ ...opening('ws://localhost:1'), headers })).rejects.toThrow(
      'sends no headers',
    );
    await expect(sockets.open({ ...opening('ws://localhost:1'), ca: 'a' })).rejects.toThrow(
      'no certificates',
    );
  });

  test('fails where it cannot be opened, and aborts at the signal', async () => {
    inBrowser();
    const { url, close } = await stand();
    await close();
    await expect(sockets.open(opening(url))).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
    });
    const giving = new AbortController();
    const opened = sockets.open({ ...opening('ws://192.0.2.1:9'), signal: giving.signal });
    giving.abort(new Error('enough'));
    await expect(opened).rejects.toThrow('enough');
  });
});

test('what browsers and `ws` call a WebSocket is one', () => {
  const take = (socket: WebSocketLike): WebSocketLike => socket;
  expect(take).toBeTypeOf('function');
  void ((browser: globalThis.WebSocket, node: WebSocket) => [take(browser), take(node)]);
});

describe('what the other side of such a socket has not read', () => {
  const memory = processMemory();
  const heldBy = (holder: string): number =>
    memory.stats().largest.find((one) => one.holder === holder)?.heldBytes ?? 0;

  test('is charged on a served side until it has left', async () => {
    virtualTime();
    const fake = new Fake();
    const connection = webSocketConnection(fake.face(), { holder: 'principal ada' });
    fake.says(text);
    expect(heldBy('principal ada')).toBeGreaterThan(2_048);
    connection.start(recording());
    expect(heldBy('principal ada')).toBe(0);
    fake.bufferedAmount = 15_000;
    await connection.send(hello);
    expect(heldBy('principal ada')).toBe(0);
    fake.bufferedAmount = 50_000;
    await connection.send(hello);
    expect(heldBy('principal ada')).toBe(65_536);
    fake.bufferedAmount = 20_000;
    await pass(20);
    expect(heldBy('principal ada')).toBe(32_768);
    fake.bufferedAmount = 0;
    await pass(20);
    expect([heldBy('principal ada'), vi.getTimerCount()]).toEqual([0, 1]);
    fake.bufferedAmount = 900_000;
    await connection.send(hello);
    fake.ends(1000);
    expect([heldBy('principal ada'), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('ends the connection beyond the budget', async () => {
    const fake = new Fake();
    const connection = webSocketConnection(fake.face());
    const record = recording();
    connection.start(record);
    const taken = memory.maxBytes - memory.heldBytes - 100_000;
    expect(memory.tryCharge('the test', taken)).toBe(true);
    onTestFinished(() => memory.release('the test', taken));
    fake.bufferedAmount = 200_000;
    await connection.send(hello).catch(() => undefined);
    await vi.waitUntil(() => record.closeErrors.length === 1);
    expect(record.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
    expect(fake.closes).toEqual([1013]);
  });

  test('is not charged where this side has dialled', async () => {
    const fake = new Fake();
    const connection = webSocketConnection(fake.face(), { holder: 'principal bob', redialable: true });
    connection.start(recording());
    fake.bufferedAmount = 900_000;
    await connection.send(hello);
    expect(heldBy('principal bob')).toBe(0);
  });
});
