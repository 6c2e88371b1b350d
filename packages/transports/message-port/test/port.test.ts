import { acceptedImmediately, type Connection } from '@rxmcp/transport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { messagePort, type MessagePortOptions, serveMessagePort } from '../src/index.js';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;
const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 2 });

interface Joined {
  readonly connection: Connection;
  readonly heard: Recording;
  /** The bare port at the other end. */
  readonly far: MessagePort;
}

async function joined(options: MessagePortOptions = {}): Promise<Joined> {
  const { port1, port2 } = new MessageChannel();
  const connection = await messagePort(port1, options).dial();
  const heard = recording();
  connection.start(heard);
  onTestFinished(async () => {
    await connection.close();
    port2.close();
  });
  return { connection, heard, far: port2 };
}

describe('an invalid message', () => {
  const circle: Record<string, unknown> = { jsonrpc: '2.0', method: 'm' };
  circle['params'] = circle;
  let doubled: unknown = {};
  for (let step = 0; step < 60; step += 1) doubled = { a: doubled, b: doubled };
  let deep: unknown = [];
  for (let step = 0; step < 200; step += 1) deep = [deep];
  const absent = Object.fromEntries(
    Array.from({ length: 200_001 }, (_, at) => [`a${String(at)}`, undefined]),
  );

  test.each([
    ['row 19: a value nested deeper than 128', deep],
    ['row 19: a value that contains itself', circle],
    ['row 20: a value that holds a part more often than could be written', doubled],
    ['row 20: more than 200,000 values', new Array(200_001).fill(0)],
    ['row 20: more than 200,000 members that are undefined', { jsonrpc: '2.0', method: 'm', params: absent }],
    ['row 14: a number that JSON has not', { jsonrpc: '2.0', id: Number.POSITIVE_INFINITY, method: 'm' }],
    ['a BigInt', { jsonrpc: '2.0', id: 1n, method: 'm' }],
    ['a Map', { jsonrpc: '2.0', method: 'm', params: new Map() }],
    ['bytes', new Uint8Array(8)],
    ['a hole', { jsonrpc: '2.0', method: 'm', params: new Array(2) }],
    [
      'a list with a named member',
      { jsonrpc: '2.0', method: 'm', params: Object.assign([1], { hidden: [2] }) },
    ],
  ])('%s is a fault, and the connection lives', async (_name, value) => {
    const { heard, far } = await joined();
    far.postMessage(value);
    far.postMessage(ping(1));
    await until(() => expect(heard.messages).toEqual([ping(1)]));
    expect(heard.faults).toMatchObject([{ code: 'INVALID_MESSAGE', reply: { error: { code: -32600 } } }]);
    expect(heard.closeErrors).toEqual([]);
  });

  test('row 21: a message over the limit is a fault', async () => {
    const { heard, far } = await joined({ maxMessageBytes: 1_000 });
    far.postMessage(ping(1, { pad: 'x'.repeat(1_000) }));
    far.postMessage(ping(2));
    await until(() => expect(heard.messages).toEqual([ping(2)]));
    expect(heard.faults).toMatchObject([{ code: 'TOO_LARGE' }]);
  });

  test('a rejected answer names the request that it answers', async () => {
    const { heard, far } = await joined();
    far.postMessage({ jsonrpc: '2.0', id: 7, result: { deep } });
    far.postMessage({ jsonrpc: '2.0', id: 8, method: 'm', params: { deep } });
    await until(() => expect(heard.faults).toHaveLength(2));
    expect(heard.faults.map(({ details }) => details?.['respondsTo'])).toEqual([7, undefined]);
  });

  test('pieces that cannot be put together again are a fault', async () => {
    const { port1, port2 } = new MessageChannel();
    const connection = await messagePort(port1).dial();
    const heard = recording();
    connection.start(heard);
    port1.dispatchEvent(new Event('messageerror'));
    await until(() => expect(heard.faults).toMatchObject([{ code: 'PARSE_ERROR' }]));
    await connection.close();
    port2.close();
  });

  test('members that are undefined are absent, as in JSON; `__proto__` is a member', async () => {
    const { heard, far } = await joined();
    far.postMessage({ ...ping(1), error: undefined });
    far.postMessage(JSON.parse('{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"polluted":1}}}'));
    await until(() => expect(heard.messages).toHaveLength(2));
    expect(Object.keys(heard.messages[0] as object)).not.toContain('error');
    const { params } = heard.messages[1] as { params: Record<string, unknown> };
    expect(Object.hasOwn(params, '__proto__')).toBe(true);
    expect(params['polluted']).toBeUndefined();
  });

  test('invalid control messages change nothing', async () => {
    const { connection, heard, far } = await joined();
    for (const messages of [-5, 0.5, Number.NaN, 'x', 1e9]) far.postMessage({ rxmcp: 'read', messages });
    far.postMessage({ rxmcp: 'what' });
    far.postMessage(ping(1));
    await until(() => expect(heard.messages.at(-1)).toEqual(ping(1)));
    const sends = Array.from({ length: 1_025 }, (_, id) => connection.send(ping(id)));
    expect(sends.slice(0, 1_024).every((send) => send === acceptedImmediately)).toBe(true);
    expect(sends.at(-1)).not.toBe(acceptedImmediately);
    for (const send of sends) send.catch(() => undefined);
  });
});

describe('a side that does not read', () => {
  test('fault 13: sends wait beyond 1,024 messages or 1 MiB, and continue when they are read', async () => {
    const { connection, far } = await joined();
    const many = Array.from({ length: 1_025 }, (_, id) => connection.send(ping(id)));
    expect(many.at(-1)).not.toBe(acceptedImmediately);
    far.postMessage({ rxmcp: 'read', messages: 1_025 });
    await Promise.all(many);
    const big = [1, 2].map((id) => connection.send(ping(id, { pad: 'x'.repeat(600_000) })));
    expect(big.map((send) => send === acceptedImmediately)).toEqual([true, false]);
    far.postMessage({ rxmcp: 'read', messages: 1 });
    await Promise.all(big);
  });

  test('fault 13: it ends with STALLED after 30 s without a sign of reading', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { connection, heard, far } = await joined();
    const sends = Array.from({ length: 2_000 }, (_, id) =>
      connection.send(ping(id)).catch((error: unknown) => error),
    );
    vi.advanceTimersByTime(29_999);
    expect(heard.closeErrors).toEqual([]);
    far.postMessage({ rxmcp: 'read', messages: 1 });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    vi.advanceTimersByTime(29_999);
    expect(heard.closeErrors).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(heard.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    expect((await Promise.all(sends)).at(-1)).toMatchObject({ code: 'STALLED' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fault 13: a feeder that does not wait ends with OVERFLOW at 64 MiB', async () => {
    const { connection, heard } = await joined();
    const pad = 'x'.repeat(8 * 1024 * 1024);
    const sends = Array.from({ length: 9 }, (_, id) => connection.send(ping(id, { pad })));
    await Promise.allSettled(sends);
    expect(heard.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
  });
});

describe('an end', () => {
  test('a goodbye is an end in order, and the end of a port without one a loss', async () => {
    const polite = await joined();
    polite.far.postMessage({ rxmcp: 'bye' });
    await until(() => expect(polite.heard.closeErrors).toEqual([undefined]));
    const rude = await joined();
    rude.far.close();
    await until(() => expect(rude.heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]));
  });

  test('a port can be dialled once, and is closed with its connection', async () => {
    const { port1, port2 } = new MessageChannel();
    const transport = messagePort(port1);
    const connection = await transport.dial();
    const closed = new Promise((resolve) => port2.addEventListener('close', resolve));
    port2.start();
    await connection.close();
    await closed;
    await expect(transport.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED' });
  });
});

test('a plain side gets messages only, and sends never wait for it', async () => {
  const { connection, heard, far } = await joined({ protocolOnly: true });
  const got: unknown[] = [];
  far.onmessage = ({ data }) => void got.push(data);
  for (let id = 0; id < 3_000; id += 1) expect(connection.send(ping(id))).toBe(acceptedImmediately);
  for (let id = 0; id < 3_000; id += 1) far.postMessage(ping(id));
  await until(() => expect([got.length, heard.messages.length]).toEqual([3_000, 3_000]));
  await connection.close();
  await until(() => expect(heard.closeErrors).toEqual([undefined]));
  expect(got.every((data) => (data as { method?: string }).method === 'ping')).toBe(true);
});

test('the serving side knows the peer at the port it was given', async () => {
  const { port1, port2 } = new MessageChannel();
  const seen: (string | undefined)[] = [];
  const acceptor = connectionHandler((connection) => (seen.push(connection.traits.principal), recording()));
  const handle = serveMessagePort(acceptor, port1, { principal: 'ada' });
  expect(seen).toEqual(['ada']);
  await handle.drain({ timeoutMs: 10 });
  port2.close();
});
