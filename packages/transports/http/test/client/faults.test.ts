import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dialled, until } from './recording.js';
import { exhaustive } from '../../../../../vitest.exhaustive.js';
import { rounds } from '../../../../../vitest.rounds.js';
import { event, events, json, resultOf, scripted } from './scripted.js';

/** A raw server that writes the first `bytes` of a response to each request and then cuts or ends. */
async function cutting(
  response: string,
  end: 'cut' | 'end',
): Promise<{ url: string; after(bytes: number): void }> {
  let after = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    let request = '';
    socket.on('data', (chunk) => {
      request += chunk.toString();
      if (!request.endsWith('}')) return;
      socket.write(response.slice(0, after), () => (end === 'cut' ? socket.resetAndDestroy() : socket.end()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/mcp`, after: (bytes) => (after = bytes) };
}

const body = '{"jsonrpc":"2.0","id":1,"result":{"a":"é"}}';
const head = (type: string, more: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}\r\n`;
const asJson = `${head('application/json', `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n`)}${body}`;
const asStream = `${head('text/event-stream', 'Connection: close\r\n')}: hello\n\nid: e-1\nevent: message\ndata: ${body}\n\n`;

describe('a cut', () => {
  it.each([
    ['a reset', 'JSON', 'cut', asJson],
    ['an end', 'a stream', 'end', asStream],
    ...(exhaustive
      ? ([
          ['an end', 'JSON', 'end', asJson],
          ['a reset', 'a stream', 'cut', asStream],
        ] as const)
      : []),
  ] as const)(
    'fault 8: %s at each byte of %s fails the request at once, nothing half is read',
    async (_how, _what, end, response) => {
      const server = await cutting(response, end);
      const client = await dialled(server.url);
      let whole = 0;
      for (let bytes = 0; bytes <= response.length; bytes += 1) {
        server.after(bytes);
        const lane = client.ask(1);
        await until(() => client.lanesClosed.length + client.deliveries.length === bytes + 1);
        if (client.deliveries.length > whole) {
          whole += 1;
          expect(client.messages.at(-1)).toEqual(JSON.parse(body));
        } else {
          const error = client.lanesClosed.at(-1);
          expect(error).toMatchObject({ lane, error: { code: 'CONNECTION_LOST', outcome: 'unknown' } });
        }
      }
      expect(whole).toBeGreaterThan(0);
      expect([client.faults, client.closes]).toEqual([[], []]);
    },
  );

  it('fault 9: in the middle of an event delivers none of it, and loses nothing of the next exchange', async () => {
    const text = event({ jsonrpc: '2.0', method: 'big', params: { pad: 'é'.repeat(20_000) } });
    const server = await scripted((seen, response) => {
      if (seen.message['method'] === 'whole') return json(response, resultOf(seen));
      const bytes = Buffer.from(text);
      return events(response).write(bytes.subarray(0, Math.floor(Math.random() * bytes.length)), () =>
        response.destroy(),
      );
    });
    const client = await dialled(server.url);
    for (let round = 0; round < rounds(100); round += 1) {
      const [cut] = [client.ask(round), client.ask(`whole-${String(round)}`, 'whole')];
      expect((await client.failure(cut)).code).toBe('CONNECTION_LOST');
      await client.arrived(round + 1);
    }
    expect(client.messages.every(({ result }) => result !== undefined)).toBe(true);
  });

  it('before anything was sent is known to be that', async () => {
    const server = await scripted(() => undefined);
    await server.close();
    const client = await dialled(server.url);
    expect(await client.failure(client.ask(1))).toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      retryable: true,
    });
    await expect(client.tell('count')).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(client.closes).toEqual([]);
  });

  it('fault 13: a server that does not take a notification is cut', async () => {
    let cut = false;
    const server = await scripted((_seen, response) => void response.on('close', () => (cut = true)));
    const client = await dialled(server.url, {}, { postTimeoutMs: 50 });
    await expect(client.tell('count')).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await until(() => cut);
  });
});

describe('ends', () => {
  it('fault 29: close, end of a lane and answer in one tick end the call once at most', async () => {
    const server = await scripted((seen, response) => json(response, resultOf(seen)));
    for (let round = 0; round < 30; round += 1) {
      const client = await dialled(server.url);
      const lane = client.ask(1);
      await until(() => server.seen.length > round || client.deliveries.length > 0);
      if (round % 3 !== 0) client.connection.endLane(lane);
      if (round % 3 !== 1) void client.connection.close();
      await client.connection.close();
      expect(client.lanesClosed.length + client.deliveries.length).toBeLessThanOrEqual(1);
      expect(client.closes).toEqual([undefined]);
      expect(client.late).toEqual([]);
    }
  });

  it('fault 30: messages after the end of a lane are ignored', async () => {
    let answer: (() => void) | undefined;
    const server = await scripted((seen, response) => {
      if (seen.message['id'] === 2) return json(response, resultOf(seen));
      answer = () => json(response, resultOf(seen));
    });
    const client = await dialled(server.url);
    const lane = client.ask(1);
    await until(() => answer !== undefined);
    answer?.();
    client.connection.endLane(lane);
    client.ask(2);
    expect(await client.arrived(1)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    expect([client.faults, client.lanesClosed]).toEqual([[], []]);
  });

  it('fault 31: many calls with one signal leave no listener behind and cause no warning', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const server = await scripted((seen, response) => json(response, resultOf(seen)));
    const client = await dialled(server.url);
    const { signal } = new AbortController();
    let listeners = 0;
    let most = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      most = Math.max(most, (listeners += 1));
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    for (let round = 0; round < rounds(20); round += 1) {
      for (let id = 0; id < 50; id += 1) client.ask(round * 50 + id, 'tools/list', { signal });
      await client.arrived((round + 1) * 50);
    }
    expect(most).toBe(1);
    await vi.waitFor(() => expect(listeners).toBe(0));
    expect(warnings).toEqual([]);
  });

  it('fault 27: many connections close together, once each, also from inside closed', async () => {
    const clients = await Promise.all(
      Array.from({ length: rounds(5_000) }, () => dialled('http://127.0.0.1:9/mcp')),
    );
    for (const client of clients) {
      const closed = client.closed.bind(client);
      client.closed = (error) => {
        closed(error);
        void client.connection.close();
      };
    }
    await Promise.all(clients.map((client) => client.connection.close()));
    expect(clients.every(({ closes }) => closes.length === 1)).toBe(true);
  });
});
