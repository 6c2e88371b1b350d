import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { dialled, opened, until } from './recording.js';
import { event, events, json, resultOf, type Seen } from './scripted.js';
import { sessionServer } from './session-server.js';

const pushed = (index: number): object => ({ jsonrpc: '2.0', method: 'pushed', params: { index } });
const gets = (seen: readonly Seen[]): Seen[] => seen.filter(({ method }) => method === 'GET');

describe('a stream that was cut', () => {
  it('fault 10: a call continues after the last event that was seen, nothing lost or doubled', async () => {
    const rounds = 50;
    let call: Seen | undefined;
    const server = await sessionServer((seen, response) => {
      const lastEventId = seen.headers['last-event-id'];
      if (seen.method === 'GET' && lastEventId === undefined) return response.writeHead(405).end();
      if (seen.method === 'POST') call = seen;
      const index = lastEventId === undefined ? 0 : Number(lastEventId) + 1;
      const last = index === rounds && call !== undefined;
      events(response).write(event(last ? resultOf(call as Seen) : pushed(index), String(index)), () =>
        last ? response.end() : index % 2 === 0 ? response.end() : response.destroy(),
      );
    });
    const client = await opened(server.url, {}, { windowMs: 0 });
    const lane = client.ask(1, 'tools/call');
    await client.arrived(rounds + 1);
    expect(client.deliveries.every((delivery) => delivery.lane === lane)).toBe(true);
    expect(client.messages.slice(0, -1)).toEqual(Array.from({ length: rounds }, (_, index) => pushed(index)));
    expect(client.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(gets(server.seen).every(({ headers }) => headers['mcp-session-id'] === 's-1')).toBe(true);
    expect([client.faults, client.lanesClosed, client.closes]).toEqual([[], [], []]);
  });

  it('polling: a priming event and an orderly end are not a loss, and its retry is waited for', async () => {
    const retryMs = 150;
    let call: Seen | undefined;
    const server = await sessionServer((seen, response) => {
      if (seen.headers['last-event-id'] !== undefined)
        return events(response).end(event(resultOf(call as Seen)));
      if (seen.method === 'GET') return response.writeHead(405).end();
      call = seen;
      return events(response).end(`id: p-1\nretry: ${String(retryMs)}\ndata:\n\n`);
    });
    const client = await opened(server.url);
    client.ask(1, 'tools/call');
    expect(await client.arrived(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const resumed = gets(server.seen).find(({ headers }) => headers['last-event-id'] === 'p-1');
    const waited = (resumed?.at ?? 0) - (call?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(retryMs - 1);
    expect(client.faults).toEqual([]);
  });

  it('without an id of an event ends its call', async () => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.writeHead(405).end() : events(response).end(event(pushed(0))),
    );
    const client = await opened(server.url);
    const error = await client.failure(client.ask(1, 'tools/call'));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    expect(client.closes).toEqual([]);
  });

  it.each([
    ['is refused', (response: ServerResponse) => response.writeHead(400).end(), 1],
    ['is cut each time', (response: ServerResponse) => response.destroy(), 6],
    [
      'ends each time with nothing new',
      (response: ServerResponse) => events(response).end(': nothing\n\n'),
      6,
    ],
  ])('whose resumption %s ends its call', async (_how, script, attempts) => {
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'GET' && seen.headers['last-event-id'] === undefined)
        return response.writeHead(405).end();
      return seen.method === 'GET' ? script(response) : events(response).end(event(pushed(0), 'e-0'));
    });
    const client = await opened(server.url, {}, { windowMs: 0 });
    const error = await client.failure(client.ask(1, 'tools/call'));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    expect(gets(server.seen).filter(({ headers }) => headers['last-event-id'] !== undefined)).toHaveLength(
      attempts,
    );
    expect(client.closes).toEqual([]);
  });

  it('is not resumed for a call that was cancelled', async () => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.writeHead(405).end() : events(response).end(event(pushed(0), 'e-0')),
    );
    const client = await opened(server.url, {}, { firstRetryDelayMs: 50, maxRetryDelayMs: 50 });
    const lane = client.ask(1, 'tools/call');
    await client.arrived(1);
    client.connection.endLane(lane);
    await client.connection.close();
    expect(gets(server.seen).filter(({ headers }) => headers['last-event-id'] !== undefined)).toEqual([]);
    expect(client.lanesClosed).toEqual([]);
  });

  it('is not resumed after an id that no header can carry', async () => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET'
        ? response.writeHead(405).end()
        : events(response).end(event(pushed(0), 'é\u0001')),
    );
    const client = await opened(server.url);
    expect((await client.failure(client.ask(1, 'tools/call'))).code).toBe('CONNECTION_LOST');
  });

  it('row 86: an event over the limit fails its call at once and is not requested again', async () => {
    let cut = false;
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      events(response).write(event(pushed(0), 'e-0'));
      response.on('close', () => (cut = true));
      return response.write(`id: e-1\ndata: ${'x'.repeat(5_000)}`);
    });
    const client = await opened(server.url, { maxResponseBytes: 1_000 });
    const error = await client.failure(client.ask(1, 'tools/call'));
    expect(error).toMatchObject({ code: 'OVERFLOW', outcome: 'unknown' });
    expect(gets(server.seen)).toHaveLength(1);
    await until(() => cut);
  });

  it('an event that is not a message is a fault, and the stream continues', async () => {
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      const odd = 'data: {"jsonrpc":\n\nevent: ping\ndata: odd\n\ndata:\n\n';
      return events(response).end(odd + event(resultOf(seen)));
    });
    const client = await opened(server.url);
    client.ask(1);
    await client.arrived(1);
    expect(client.faults.map(({ code }) => code)).toEqual(['PARSE_ERROR']);
  });
});

describe('the standing stream', () => {
  it('fault 10: delivers without a lane, and is resumed after the last event that was seen', async () => {
    const count = 30;
    const server = await sessionServer((seen, response) => {
      const index = Number(seen.headers['last-event-id'] ?? -1) + 1;
      events(response).write(event(pushed(index), String(index)), () => {
        if (index < count) response.destroy();
      });
    });
    const client = await opened(server.url, {}, { windowMs: 0 });
    expect(await client.arrived(count)).toEqual(
      expect.arrayContaining(Array.from({ length: count }, (_, index) => pushed(index))),
    );
    expect(client.messages.map(({ params }) => (params as { index: number }).index)).toEqual(
      client.messages.map((_message, index) => index),
    );
    expect(client.deliveries.every(({ lane }) => lane === undefined)).toBe(true);
    expect(client.faults).toEqual([]);
  });

  it('reports that messages may be lost where the events have no ids', async () => {
    const streams: ServerResponse[] = [];
    const server = await sessionServer((_seen, response) => {
      streams.push(events(response));
      response.write(event(pushed(streams.length)));
    });
    const client = await opened(server.url);
    await client.arrived(1);
    streams[0]?.destroy();
    await client.arrived(2);
    await until(() => client.faults.length === 1);
    expect(client.faults[0]).toMatchObject({ code: 'CONNECTION_LOST', details: { gap: true } });
  });

  it.each([
    [405, []],
    [400, ['REJECTED']],
    [401, ['UNAUTHORIZED']],
  ])('is not asked for again after %i', async (status, faults) => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.writeHead(status).end() : json(response, resultOf(seen)),
    );
    const client = await opened(server.url);
    await until(() => gets(server.seen).length === 1);
    client.ask(1);
    await client.arrived(1);
    expect(client.faults.map(({ code }) => code)).toEqual(faults);
    expect(gets(server.seen)).toHaveLength(1);
  });

  it('fault 7: that has been open is asked for again after 405, as the server may still hold its reader before', async () => {
    let tries = 0;
    const server = await sessionServer((_seen, response) => {
      tries += 1;
      if (tries === 1) return events(response).write(event(pushed(0)), () => response.destroy());
      return tries < 4 ? response.writeHead(405).end() : events(response).write(event(pushed(1)));
    });
    const client = await opened(server.url, {}, { windowMs: 0 });
    await client.arrived(2);
    expect(client.faults).toMatchObject([{ code: 'CONNECTION_LOST', details: { gap: true } }]);
  });

  it('whose place the server has forgotten begins anew, and reports that messages may be lost', async () => {
    let isFirst = true;
    const server = await sessionServer((seen, response) => {
      if (seen.headers['last-event-id'] !== undefined) return response.writeHead(400).end();
      const text = isFirst ? event(pushed(0), 'e-0') : event(pushed(1));
      if (!isFirst) return events(response).write(text);
      isFirst = false;
      return events(response).write(text, () => response.destroy());
    });
    const client = await opened(server.url, {}, { windowMs: 0 });
    await client.arrived(2);
    expect(gets(server.seen).map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      'e-0',
      undefined,
    ]);
    expect(client.faults).toMatchObject([{ code: 'CONNECTION_LOST', details: { gap: true } }]);
  });

  it('that never gets a response ends no connection whose calls are answered', async () => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.destroy() : json(response, resultOf(seen)),
    );
    const client = await opened(server.url, {}, { windowMs: 0, firstRetryDelayMs: 1, maxRetryDelayMs: 2 });
    client.ask(1);
    await client.arrived(1);
    await until(() => gets(server.seen).length >= 20);
    client.ask(2);
    await client.arrived(2);
    expect(client.closes).toEqual([]);
  });

  it.each([409, 500, 503])('is asked for again after %i', async (status) => {
    let tries = 0;
    const server = await sessionServer((_seen, response) => {
      tries += 1;
      return tries < 3 ? response.writeHead(status).end() : events(response).write(event(pushed(0)));
    });
    const client = await opened(server.url);
    await client.arrived(1);
    expect([client.faults, client.closes]).toEqual([[], []]);
  });

  it('fault 11: a server that stays away ends the connection, one that answers at all does not', async () => {
    const gone = await sessionServer((_seen, response) => response.destroy());
    const client = await opened(gone.url, {}, { windowMs: 0, firstRetryDelayMs: 1, maxRetryDelayMs: 2 });
    await gone.close();
    await until(() => client.closes.length === 1);
    expect(client.closes[0]).toMatchObject({ code: 'DIAL_FAILED' });

    const cutting = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.writeHead(500).end() : json(response, resultOf(seen)),
    );
    const other = await opened(cutting.url, {}, { windowMs: 0, firstRetryDelayMs: 1, maxRetryDelayMs: 2 });
    await until(() => gets(cutting.seen).length >= 20);
    other.ask(1);
    await other.arrived(1);
    expect(other.closes).toEqual([]);
    expect(other.faults.map(({ code }) => code)).toEqual(['CONNECTION_LOST']);
  });

  it('fault 28: an error of the receiver ends neither the stream nor the connection', async () => {
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'POST') return json(response, resultOf(seen));
      return events(response).write(event(pushed(0)) + event(pushed(1)));
    });
    const client = await dialled(server.url);
    const received = client.received.bind(client);
    client.received = (incoming, arrival) => {
      received(incoming, arrival);
      throw new Error('the receiver threw');
    };
    client.fault = () => {
      throw new Error('the receiver threw again');
    };
    client.ask(0, 'initialize');
    await client.arrived(1);
    await client.tell('notifications/initialized', { completesHandshake: true, version: '2025-11-25' });
    await client.arrived(3);
    client.ask(1);
    await client.arrived(4);
    client.closed = () => {
      throw new Error('the receiver threw at last');
    };
    await client.connection.close();
  });
});
