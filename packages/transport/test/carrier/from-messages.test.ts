import { expect, onTestFinished, test, vi } from 'vitest';
import {
  acceptedImmediately,
  type CarrierEvents,
  type Connection,
  fromMessages,
  type FromMessagesOptions,
  type MessageCarrier,
  processMemory,
} from '../../src/index.js';
import { inOwnProcess } from '../../../../vitest.process.js';
import { UnreadOutput } from '../../src/internal.js';
import { UnreadMessages } from '../../src/carrier/unread-messages.js';
import { type Heard, listener, note, turn } from '../loop.js';

interface Side {
  readonly connection: Connection;
  readonly heard: Heard;
  /** What arrived, control messages included. */
  readonly arrived: string[];
  readonly events: CarrierEvents;
}

/** Both ends of a channel, of which only the dialling one is started. */
function sides(options: FromMessagesOptions = {}): { near: Side; far: Side } {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return { near: side(port1, options), far: side(port2, { ...options, isServer: true }) };
}

function side(port: MessagePort, options: FromMessagesOptions): Side {
  const arrived: string[] = [];
  let events: CarrierEvents | undefined;
  const carrier: MessageCarrier = {
    post: (text) => port.postMessage(text),
    listen(given) {
      events = given;
      port.onmessage = ({ data }) => (arrived.push(data as string), given.message(data));
      return () => port.close();
    },
  };
  const connection = fromMessages(carrier, { heartbeatIntervalMs: Infinity, ...options });
  return { connection, heard: listener(), arrived, events: events! };
}

/** Without timers, which may be virtual. */
const until = async (check: () => boolean): Promise<void> => {
  while (!check()) await turn();
};
const start = ({ connection, heard }: Side): void => connection.start(heard);

test('sends wait for a side that has not started, and continue once it reads', async () => {
  const { near, far } = sides({ maxUnreadMessages: 8 });
  const sends = Array.from({ length: 10 }, (_, n) => near.connection.send(note(n)));
  expect(sends.map((send) => send === acceptedImmediately)).toEqual([...Array(8).fill(true), false, false]);
  await until(() => far.arrived.length === 10);
  start(far);
  await Promise.all(sends);
  await until(() => far.heard.messages.length === 10);
});

test('a side that closes is answered, and the close resolves then', async () => {
  // Longer than a test may take.
  const { near, far } = sides({ closeTimeoutMs: 3_600_000 });
  start(far);
  void near.connection.send(note(1));
  await near.connection.close();
  expect(near.arrived).toEqual(['{"rxmcp":"bye"}']);
  await until(() => far.heard.ends.length === 1);
  expect(far.heard.log).toEqual(['received', 'closed']);
  expect(far.heard.ends).toEqual([undefined]);
});

test('a close does not wait longer than `closeTimeoutMs` for a side that does not answer', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port2.close());
  await side(port1, { closeTimeoutMs: 1 }).connection.close();
});

test('a message that arrives before the end is delivered before it, also to a side that starts later', async () => {
  const { near, far } = sides();
  start(near);
  await near.connection.send(note(1));
  await near.connection.close();
  await expect(far.connection.send(note(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  start(far);
  await until(() => far.heard.ends.length === 1);
  expect(far.heard.log).toEqual(['received', 'closed']);
});

test('a served side reads no further while its sends wait', async () => {
  const { near, far } = sides({ maxUnreadMessages: 2 });
  start(far);
  const sends = [0, 1, 2].map((n) => far.connection.send(note(n)));
  for (let n = 0; n < 5; n += 1) near.connection.send(note(n)).catch(() => undefined);
  await until(() => far.arrived.length === 5);
  expect(far.heard.messages).toEqual([]);
  start(near);
  await Promise.all(sends);
  await until(() => far.heard.messages.length === 5);
});

test('heartbeats: a silent side is lost after four intervals, and a side that is alive is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { near, far } = sides({ heartbeatIntervalMs: 1_000 });
  start(near);
  start(far);
  for (let second = 0; second < 10; second += 1) {
    vi.advanceTimersByTime(1_000);
    const beats = second + 1;
    await until(() => near.arrived.length === beats && far.arrived.length === beats);
  }
  expect(near.arrived.every((text) => text === '{"rxmcp":"alive"}')).toBe(true);
  vi.advanceTimersByTime(3_999);
  expect(near.heard.ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(near.heard.ends).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  expect(vi.getTimerCount()).toBe(0);
});

test('an end without a goodbye is a loss with its cause', () => {
  const { near } = sides();
  start(near);
  near.events.closed(new Error('unplugged'));
  expect(near.heard.ends).toMatchObject([{ code: 'CONNECTION_LOST', cause: { message: 'unplugged' } }]);
});

test.each<[loss: string, options: FromMessagesOptions, lose: (near: Side) => void, code: string]>([
  ['the carrier reports an error', {}, ({ events }) => events.closed(new Error('cut')), 'CONNECTION_LOST'],
  [
    'the other side is silent',
    { heartbeatIntervalMs: 100 },
    () => vi.advanceTimersByTime(400),
    'CONNECTION_LOST',
  ],
  [
    'the other side reads nothing',
    { maxUnreadMessages: 1, writeTimeoutMs: 100 },
    ({ connection }) => {
      for (const n of [1, 2]) connection.send(note(n)).catch(() => undefined);
      vi.advanceTimersByTime(100);
    },
    'STALLED',
  ],
  ['no first message arrives', { firstMessageTimeoutMs: 100 }, () => vi.advanceTimersByTime(100), 'STALLED'],
])('a loss where %s is a loss on the other side, and no goodbye', async (_, options, lose, code) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port1, port2 } = new MessageChannel();
  const near = side(port1, options);
  const far = side(port2, { isServer: true });
  start(near);
  lose(near);
  expect(near.heard.ends).toMatchObject([{ code }]);
  await near.connection.close();
  start(far);
  await until(() => far.heard.ends.length === 1);
  expect(far.heard.ends).toMatchObject([{ code: 'CONNECTION_LOST' }]);
  expect(far.arrived).not.toContain('{"rxmcp":"bye"}');
});

test.each([
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('full'))],
])('a post that %s ends the connection and rejects the send', async (_, post) => {
  const released = vi.fn();
  const connection = fromMessages({ post, listen: () => released }, { heartbeatIntervalMs: Infinity });
  const heard = listener();
  connection.start(heard);
  await expect(connection.send(note(1))).rejects.toMatchObject({ outcome: 'unknown' });
  await until(() => heard.ends.length === 1);
  expect(heard.ends).toMatchObject([{ code: 'CONNECTION_LOST', cause: { message: 'full' } }]);
  await until(() => released.mock.calls.length === 1);
});

test('a post that resolves later is backpressure', async () => {
  let accept = (): void => undefined;
  const post = (): Promise<void> => new Promise((resolve) => (accept = resolve));
  const carrier: MessageCarrier = { post, listen: () => () => undefined };
  const connection = fromMessages(carrier, { heartbeatIntervalMs: Infinity, closeTimeoutMs: 0 });
  let isSent = false;
  const send = connection.send(note(1)).then(() => (isSent = true));
  await turn();
  expect(isSent).toBe(false);
  accept();
  await send;
});

test('a value is a fault, and a message with a member of a control message is a message', async () => {
  const { near } = sides();
  start(near);
  near.events.message({ jsonrpc: '2.0', method: 'note' });
  near.events.message('{"rxmcp":"bye","jsonrpc":"2.0","method":"note"}');
  near.events.message('{"rxmcp":"later"}');
  near.events.message('{"rxmcp":');
  await until(() => near.heard.faults.length === 2);
  expect(near.heard.messages).toEqual([{ rxmcp: 'bye', jsonrpc: '2.0', method: 'note' }]);
  expect(near.heard.faults.map(({ code }) => code)).toEqual(['INVALID_MESSAGE', 'PARSE_ERROR']);
  expect(near.heard.ends).toEqual([]);
});

test('more than 64 MiB before the start ends the connection with OVERFLOW', () => {
  const { near } = sides();
  for (let n = 0; n < 9; n += 1) near.events.message(`"${'x'.repeat(8 * 1024 * 1024)}"`);
  start(near);
  return until(() => near.heard.ends[0]?.code === 'OVERFLOW');
});

test.each([
  ['1,024 messages', 1_024, 1],
  ['1 Mi characters', 1, 1024 * 1024],
])('%s may be unread; sends wait beyond that', async (_, count, chars) => {
  const output = new UnreadOutput(processMemory(), 'the test');
  const limits = { maxMessages: 1_024, writeTimeoutMs: 60_000, output, failed: () => undefined };
  const unread = new UnreadMessages(limits);
  for (let at = 0; at < count; at += 1) expect(unread.add(chars)).toBeUndefined();
  const waiting = unread.add(1);
  expect(waiting).toBeInstanceOf(Promise);
  unread.read(count + 1);
  await waiting;
});

test('a message whose other side ends within its post is charged no more', async () => {
  const holder = 'the side of the test';
  let events: CarrierEvents | undefined;
  const carrier: MessageCarrier = {
    post: (text) => (text.includes('"rxmcp"') ? undefined : events?.closed()),
    listen: (given) => {
      events = given;
      return () => undefined;
    },
  };
  const connection = fromMessages(carrier, { heartbeatIntervalMs: Infinity, traits: { holder } });
  await connection
    .send({ jsonrpc: '2.0', method: 'news', params: { pad: 'x'.repeat(100_000) } })
    .catch(() => undefined);
  expect(
    processMemory()
      .stats()
      .largest.map((one) => one.holder),
  ).not.toContain(holder);
});

test('a side that reports again and again that it has read nothing is cut in time', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const output = new UnreadOutput(processMemory(), 'the test');
  const failed = vi.fn();
  const unread = new UnreadMessages({ maxMessages: 1, writeTimeoutMs: 1_000, output, failed });
  unread.add(1);
  void unread.add(1);
  for (let passed = 0; passed < 1_000; passed += 500) {
    unread.read(0);
    vi.advanceTimersByTime(500);
  }
  expect(failed).toHaveBeenCalledOnce();
});

test.each([
  ['ref', true],
  ['unref', false],
])('the channel decides whether the process stays, and not the heartbeats: %s', async (kind, stayed) => {
  const program = new URL('fixtures/beating.ts', import.meta.url);
  expect(await inOwnProcess(program, kind)).toEqual({ stayed });
});
