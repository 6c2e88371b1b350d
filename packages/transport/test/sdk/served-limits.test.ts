import { describe, expect, onTestFinished, test } from 'vitest';
import { pipeTraits, processMemory, type Receiver } from '../../src/index.js';
import {
  fromSdkTransport,
  sdkConnectionHandler,
  type SdkTransport,
  serveSdkTransport,
  toSdkTransport,
} from '../../src/sdk.js';
import { Bare } from './bare.js';
import { heard } from './received.js';

const memory = processMemory();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} }) as const;
const heldBy = (holder: string): number =>
  memory.stats().largest.find((one) => one.holder === holder)?.heldBytes ?? 0;

/** A server of an SDK that responds when the test says so. */
async function served(bare = new Bare()) {
  let transport: SdkTransport | undefined;
  const received: unknown[] = [];
  const serving = sdkConnectionHandler(async (given) => {
    transport = given;
    given.onmessage = (message) => void received.push(message);
    await given.start();
  }).accept(bare);
  await turn();
  const arrives = (message: unknown, bytes: number, holder = 'ada'): void =>
    bare.receiver?.received(message, { holder }, bytes);
  const respond = (id: number) => transport?.send({ jsonrpc: '2.0', id, result: {} });
  return { bare, serving, received, arrives, respond };
}

describe('what an official server handles', () => {
  test('is charged to the caller until it has a response, was cancelled, or the connection has ended', async () => {
    const { serving, received, arrives, respond } = await served();
    for (const id of [1, 2, 3]) arrives(call(id), 10_000);
    arrives({ jsonrpc: '2.0', method: 'notifications/initialized' }, 10_000);
    expect([heldBy('ada'), received.length]).toEqual([30_000, 4]);
    await respond(1);
    expect(heldBy('ada')).toBe(20_000);
    arrives({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, 100);
    await respond(2);
    expect(heldBy('ada')).toBe(10_000);
    await serving.drain({ timeoutMs: 10 });
    expect(heldBy('ada')).toBe(0);
  });

  test('and cancelled ends its lane unless a batch shares it, and what comes of it then goes nowhere', async () => {
    const bare = new Bare({ ...pipeTraits, lanes: 'per-request' });
    const { respond } = await served(bare);
    const [own, batch] = [{}, {}];
    const cancelled = (requestId: number) =>
      ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }) as const;
    bare.receiver?.received(call(1), { lane: own });
    // The entries of a batch may arrive one by one.
    for (const entry of [call(2), cancelled(2), call(3)]) bare.receiver?.received([entry], { lane: batch });
    for (const id of [1, 9]) bare.receiver?.received(cancelled(id), { lane: {} });
    expect(bare.ended).toEqual([own]);
    expect(bare.ended[0]).toBe(own);
    for (const id of [1, 2, 3]) await respond(id);
    expect(bare.sent).toEqual([[{ jsonrpc: '2.0', id: 3, result: {} }, { lane: batch }]]);
    expect(bare.sent[0]?.[1]?.lane).toBe(batch);
  });

  test('is rejected with -31001 beyond the budget, from the 257th on, and with an id that is in use', async () => {
    const { bare, serving, received, arrives } = await served(new Bare({ ...pipeTraits, holder: 'bob' }));
    arrives(call(1), memory.maxBytes * 2);
    expect(bare.sent).toMatchObject([
      [{ id: 1, error: { code: -31001, data: { executed: false } } }, { rejection: 'overloaded' }],
    ]);
    for (let id = 1; id <= 256; id += 1) bare.receiver?.received(call(id), undefined, 100);
    expect([received.length, heldBy('bob')]).toEqual([256, 25_600]);
    arrives(call(1), 0);
    arrives(call(257), 0);
    expect(bare.sent.slice(1).map(([out]) => (out as { id?: unknown }).id)).toEqual([1, 257]);
    expect(received).toHaveLength(256);
    await serving.drain({ timeoutMs: 10 });
    expect(heldBy('bob')).toBe(0);
  });

  test('is the rest of a batch too, where the server throws on one of its messages', async () => {
    const bare = new Bare();
    const transport = toSdkTransport(bare);
    const [received, errors]: [unknown[], unknown[]] = [[], []];
    transport.onmessage = (message) => {
      received.push(message);
      if (received.length === 1) throw new Error('no');
    };
    transport.onerror = (error) => void errors.push(error);
    await transport.start();
    bare.receiver?.received([call(1), call(2)], undefined, 100);
    expect(received).toEqual([call(1), call(2)]);
    expect(errors).toMatchObject([{ code: 'INVALID_MESSAGE', cause: { message: 'no' } }]);
    await transport.close();
  });

  test('is rejected where the SDK would drop it without a response', async () => {
    const { bare, serving, received, arrives } = await served();
    const invalid = [
      { ...call(1), id: 1.5 },
      { ...call(1), params: [] },
      { ...call(1), params: { _meta: { progressToken: null } } },
      { ...call(1), params: { _meta: null } },
      [],
      Array(101).fill(call(1)),
    ];
    for (const message of invalid) arrives(message, 1_000);
    expect(bare.sent.map(([out]) => out)).toMatchObject(
      Array(invalid.length).fill({ error: { code: -32600 } }),
    );
    expect([received, heldBy('ada')]).toEqual([[], 0]);
    arrives({ ...call(1), unknown: 1 }, 1_000);
    expect(received).toEqual([call(1)]);
    await serving.drain({ timeoutMs: 10 });
  });

  test('stays charged where a cancellation is not one for the SDK', async () => {
    const { serving, received, arrives } = await served();
    arrives(call(0), 1_000);
    arrives(call(1), 1_000);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    for (const params of [undefined, { requestId: 0 }, { requestId: null }])
      arrives({ ...cancelled, ...(params === undefined ? {} : { params }) }, 100);
    arrives({ ...cancelled, id: 1, params: { requestId: 1 } }, 100);
    expect(heldBy('ada')).toBe(2_000);
    arrives({ ...cancelled, params: { requestId: 1, reason: 1 } }, 100);
    expect(heldBy('ada')).toBe(1_000);
    expect(received.at(-1)).toEqual({ ...cancelled, params: { requestId: 1 } });
    await serving.drain({ timeoutMs: 10 });
  });

  test('is counted in whole bytes', async () => {
    const { serving, arrives, respond } = await served();
    const before = memory.heldBytes;
    arrives([call(1), call(2), call(3)], 1_000);
    expect(heldBy('ada')).toBe(3 * 334);
    for (const id of [1, 2, 3]) await respond(id);
    expect([heldBy('ada'), memory.heldBytes]).toEqual([0, before]);
    await serving.drain({ timeoutMs: 10 });
  });

  test('has a session: other requests are answered, so that their client begins with a handshake', async () => {
    const bare = new Bare({ idScope: 'lane', lanes: 'per-request' });
    const { serving, received } = await served(bare);
    const lane = {};
    bare.receiver?.received([call(1), { jsonrpc: '2.0', method: 'notifications/x' }], { lane }, 100);
    bare.receiver?.received({ jsonrpc: '2.0', id: 2, result: {} }, { lane }, 100);
    expect(received).toEqual([]);
    expect(bare.sent).toMatchObject([
      [
        { id: 1, error: { code: -32601 } },
        { lane, rejection: 'unsupported-version' },
      ],
    ]);
    await serving.drain({ timeoutMs: 10 });
    await serving.closed;
    expect(bare.closes).toBe(1);
  });
});

describe('what the peer of a served SDK transport does not read', () => {
  const connection = (send: SdkTransport['send'], start = async (): Promise<void> => undefined) => {
    let closes = 0;
    const near = heard();
    const transport: SdkTransport = { start, send, close: async () => void (closes += 1) };
    const sent: { send?: (text: string) => Promise<void> } = {};
    const closed = new Promise<void>(() => undefined);
    const serving = serveSdkTransport(
      {
        accept(given) {
          given.start(near);
          sent.send = (text) => given.send({ jsonrpc: '2.0', method: 'x', params: { text } });
          return { drain: async () => undefined, closed };
        },
      },
      transport,
      { traits: { holder: 'eve' } },
    );
    return { near, send: sent.send as (text: string) => Promise<void>, closes: () => closes, serving };
  };

  test('is charged to the holder of its traits until it is accepted, or the connection is closed', async () => {
    let accept = (): void => undefined;
    const { send, serving } = connection(() => new Promise((resolve) => (accept = resolve)));
    const sent = send('x'.repeat(100_000));
    expect(heldBy('eve')).toBeGreaterThan(200_000);
    accept();
    await sent;
    await turn();
    expect(heldBy('eve')).toBe(0);
    void send('x'.repeat(100_000)).catch(() => undefined);
    expect(heldBy('eve')).toBeGreaterThan(200_000);
    await serving.close();
    expect(heldBy('eve')).toBe(0);
  });

  test('ends the connection with OVERFLOW beyond the budget', async () => {
    const { near, send, closes } = connection(() => new Promise(() => undefined));
    const taken = memory.maxBytes - memory.heldBytes - 100_000;
    expect(memory.tryCharge('the test', taken)).toBe(true);
    onTestFinished(() => memory.release('the test', taken));
    void send('x'.repeat(100_000)).catch(() => undefined);
    await turn();
    expect(near.ends).toMatchObject([{ code: 'OVERFLOW' }]);
    expect([closes(), heldBy('eve')]).toEqual([1, 0]);
  });

  test('is sent where the transport returns no promises', async () => {
    let sent = 0;
    const { send, near } = connection((() => void (sent += 1)) as never);
    await send('x');
    expect([sent, near.ends]).toEqual([1, []]);
  });

  test('costs nothing where it cannot start: the transport is closed', async () => {
    const { near, closes } = connection(
      async () => undefined,
      () => Promise.reject(new Error('no stdin')),
    );
    await turn();
    expect([near.ends.length, closes()]).toEqual([1, 1]);
  });
});

test('what arrives before the start is charged to the holder of the traits', async () => {
  const transport: SdkTransport = {
    start: async () => transport.onmessage?.({ ...call(1), params: { text: 'x'.repeat(1_000) } }),
    send: async () => undefined,
    close: async () => undefined,
  };
  const dialled = await fromSdkTransport(transport, { traits: { holder: 'fay' } }).dial();
  expect(heldBy('fay')).toBeGreaterThan(2_000);
  await dialled.close();
  expect(heldBy('fay')).toBe(0);
});

describe('a transport for the SDKs that is closed while it starts', () => {
  test.each([
    ['an accepted connection', (bare: Bare) => toSdkTransport(bare)],
    ['a dial', (bare: Bare) => toSdkTransport({ name: 'bare', dial: async () => bare })],
  ])('rejects, and reports its end and nothing else: %s', async (_what, make) => {
    const bare = new Bare();
    const transport = make(bare);
    const seen: unknown[] = [];
    transport.onerror = (error) => void seen.push(error);
    transport.onclose = () => void seen.push('closed');
    const starting = transport.start();
    const closing = transport.close();
    await expect(starting).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
    await closing;
    expect(seen).toEqual(['closed']);
    expect(bare.closes).toBeGreaterThan(0);
    expect((bare.receiver as Receiver | undefined) === undefined).toBe(true);
  });
});

test('a request that cannot be sent leaves nothing behind', async () => {
  const bare = new Bare({ lanes: 'per-request' });
  const transport = toSdkTransport({ name: 'bare', dial: async () => bare });
  await transport.start();
  let ended = 0;
  bare.failure = Object.assign(new Error('too large'), { code: 'TOO_LARGE' }) as never;
  await expect(transport.send(call(1), { onRequestStreamEnd: () => (ended += 1) })).rejects.toThrow();
  bare.failure = undefined;
  await transport.send(call(2), { onRequestStreamEnd: () => (ended += 1) });
  const lanes = bare.tried.map((options) => options?.lane as object);
  expect(lanes).toHaveLength(2);
  for (const lane of lanes) bare.receiver?.laneClosed(lane);
  expect(ended).toBe(1);
  await transport.close();
});
