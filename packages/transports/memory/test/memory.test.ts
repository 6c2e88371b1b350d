import { encode, EncodedMessage, type JsonRpcRequest } from '@rxmcp/jsonrpc';
import { acceptedImmediately, type Connection } from '@rxmcp/transport';
import { describe, expect, test, vi } from 'vitest';
import { memory, type MemoryOptions } from '../src/index.js';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';

const request = (id: number, params: Record<string, unknown> = {}): JsonRpcRequest => ({
  jsonrpc: '2.0',
  id,
  method: 'm',
  params,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Linked {
  client: Connection;
  server: Connection;
  near: Recording;
  far: Recording;
}

async function linked(options: MemoryOptions = {}, start = true): Promise<Linked> {
  const link = memory(options);
  const far = recording();
  let server: Connection | undefined;
  link.serve({
    accept(connection) {
      server = connection;
      if (start) connection.start(far);
      return { drain: () => Promise.resolve(), closed: new Promise(() => undefined) };
    },
  });
  const client = await link.dial();
  const near = recording();
  client.start(near);
  return { client, server: server!, near, far };
}

describe('dialling', () => {
  test('fails with DIAL_FAILED without a server', async () => {
    await expect(memory().dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
  });

  test('fails with DIAL_ABORTED on an aborted signal', async () => {
    const dialled = memory().dial({ signal: AbortSignal.abort() });
    await expect(dialled).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
  });

  test('makes a fresh connection each time, and none after close', async () => {
    const link = memory();
    const served: Connection[] = [];
    const handle = link.serve(connectionHandler((connection) => (served.push(connection), recording())));
    const [one, two] = await Promise.all([link.dial(), link.dial()]);
    const ends = [recording(), recording()];
    one.start(ends[0]!);
    two.start(ends[1]!);
    expect(served).toHaveLength(2);
    await handle.close();
    await turn();
    expect(ends.map((end) => end.closeErrors)).toEqual([[undefined], [undefined]]);
    await expect(link.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED' });
  });

  test('an acceptor that throws fails the dial', async () => {
    const link = memory();
    link.serve({
      accept: () => {
        throw new Error('full');
      },
    });
    await expect(link.dial()).rejects.toMatchObject({ code: 'DIAL_FAILED', message: 'full' });
  });

  test('principals belong to the serving side only', async () => {
    const link = memory({ principal: 'ada' });
    const seen: (string | undefined)[] = [];
    link.serve(connectionHandler((connection) => (seen.push(connection.traits.principal), recording())));
    const own = await link.dial();
    await link.asPrincipal('bob').dial();
    expect(seen).toEqual(['ada', 'bob']);
    expect(own.traits.principal).toBeUndefined();
  });

  test('a link that is served refuses a second acceptor', () => {
    const link = memory();
    link.serve(connectionHandler(() => recording()));
    expect(() => link.serve(connectionHandler(() => recording()))).toThrow(TypeError);
  });
});

describe('messages', () => {
  test('arrive in order, as copies, never inside send', async () => {
    const { client, far } = await linked();
    const params = { list: [1] };
    expect(client.send(request(1, params))).toBe(acceptedImmediately);
    expect(far.messages).toEqual([]);
    params.list.push(2);
    void client.send(new EncodedMessage(encode(request(2))));
    await turn();
    expect(far.messages).toEqual([request(1, { list: [1] }), request(2)]);
  });

  test('a value that cannot be JSON is rejected as not sent, and the connection stays open', async () => {
    const { client, far } = await linked();
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    await expect(client.send(request(1, ring))).rejects.toMatchObject({
      code: 'SEND_FAILED',
      outcome: 'not-sent',
    });
    void client.send(request(2));
    await turn();
    expect(far.messages).toEqual([request(2)]);
  });

  const nested = (levels: number): unknown[] => (levels === 1 ? [] : [nested(levels - 1)]);
  test.each([
    // The message and its params are two levels and four values more, `params.x` is one of them.
    ['row 19: nested deeper than 128', { x: nested(127) }, { x: nested(126) }, 'nests deeper than 128'],
    [
      'row 20: more than 200,000 values',
      { x: new Array(199_995).fill(0) },
      { x: new Array(199_994).fill(0) },
      'more than 200000 values',
    ],
  ])('%s is refused, prepared or not, and the connection lives', async (_what, over, most, why) => {
    const { client, far } = await linked();
    for (const message of [request(1, over), new EncodedMessage(encode(request(1, over)))]) {
      const error = { code: 'SEND_FAILED', outcome: 'not-sent', message: expect.stringContaining(why) };
      await expect(client.send(message)).rejects.toMatchObject(error);
    }
    for (const message of [request(2, most), new EncodedMessage(encode(request(3, most)))])
      await client.send(message);
    await turn();
    expect(far.messages).toEqual([request(2, most), request(3, most)]);
  });

  test('a finite limit rejects larger messages', async () => {
    const { client } = await linked({ maxMessageBytes: 100 });
    await expect(client.send(request(1, { x: 'é'.repeat(50) }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await client.send(request(2));
  });

  test('a ping-pong in microtasks leaves timers their turn', async () => {
    const link = memory();
    link.serve(connectionHandler((c) => recording((message) => void c.send(message as JsonRpcRequest))));
    const client = await link.dial();
    let rounds = 0;
    client.start(recording(() => void ((rounds += 1), client.send(request(rounds)))));
    void client.send(request(0));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = rounds;
    await turn();
    expect(before).toBeGreaterThan(0);
    expect(rounds).toBeGreaterThan(before);
    await client.close();
  });
});

describe('backpressure', () => {
  test('send waits when more than maxQueued messages wait, until they are taken', async () => {
    const { client, server, far } = await linked({ maxQueuedMessages: 2 }, false);
    const sends = [1, 2, 3].map((id) => client.send(request(id)));
    expect(sends.map((send) => send === acceptedImmediately)).toEqual([true, true, false]);
    server.start(far);
    await Promise.all(sends);
    expect(far.messages).toHaveLength(3);
  });

  test('a side that reads all the time is not stalled, however much waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { client, near, far } = await linked({ maxQueuedMessages: 1 });
      for (let id = 0; id < 20_000; id += 1) void client.send(request(id)).catch(() => undefined);
      // 1,024 of them are taken in a turn.
      for (let left = 30; far.messages.length < 20_000 && left > 0; left -= 1) {
        vi.advanceTimersByTime(10_000);
        await turn();
      }
      expect(near.closeErrors).toEqual([]);
      expect(far.messages).toHaveLength(20_000);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a close ends the send that waits for a side that never reads, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      const { client } = await linked({ maxQueuedMessages: 1 }, false);
      void client.send(request(1));
      const waiting = client.send(request(2)).catch((error: unknown) => error);
      await client.close();
      await waiting;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a side that never reads ends with STALLED, and the waiting send with it', async () => {
    vi.useFakeTimers();
    try {
      const { client, near } = await linked({ maxQueuedMessages: 1 }, false);
      void client.send(request(1));
      const waiting = client.send(request(2)).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(29_999);
      expect(near.closeErrors).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(near.closeErrors).toMatchObject([{ code: 'STALLED' }]);
      expect(await waiting).toMatchObject({ code: 'STALLED' });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('closing', () => {
  test('sent messages arrive before closed', async () => {
    const { client, near, far } = await linked();
    void client.send(request(1));
    await client.close();
    await turn();
    expect(far.messages).toEqual([request(1)]);
    expect([near.closeErrors, far.closeErrors]).toEqual([[undefined], [undefined]]);
    await expect(client.send(request(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  test('the closing side receives nothing more but closed', async () => {
    const { client, server, near } = await linked();
    void server.send(request(1));
    const closing = client.close();
    await Promise.all([closing, client.close()]);
    await turn();
    expect(near.messages).toEqual([]);
    expect(near.closeErrors).toEqual([undefined]);
  });

  test('fault 27: 5,000 connections whose closed calls close end together', async () => {
    const link = memory();
    const handle = link.serve(connectionHandler(() => recording()));
    let ended = 0;
    for (let i = 0; i < 5_000; i += 1) {
      const connection = await link.dial();
      connection.start({ ...recording(), closed: () => void ((ended += 1), connection.close()) });
    }
    await handle.close();
    await turn();
    expect(ended).toBe(5_000);
  });
});
