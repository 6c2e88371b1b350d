import { describe, expect, it } from 'vitest';
import { dialled, eventually, until } from './recording.js';
import { event, events, json, resultOf, scripted } from './scripted.js';

const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

describe('the response to a request', () => {
  it('is delivered in the lane of the request, as JSON or from a stream', async () => {
    const { url } = await scripted((seen, response) => {
      if (seen.message['id'] === 1) return json(response, resultOf(seen, { one: 1 }));
      events(response).write(`: hello\n\n${event({ jsonrpc: '2.0', method: 'notifications/progress' })}`);
      response.end(event(resultOf(seen, { two: 2 })));
    });
    const client = await dialled(url);
    const lanes = [client.ask(1), client.ask(2)];
    await client.arrived(3);
    const of = (lane: object | undefined): unknown[] =>
      client.deliveries.filter((delivery) => delivery.lane === lane).map(({ incoming }) => incoming);
    expect(of(lanes[0])).toEqual([{ jsonrpc: '2.0', id: 1, result: { one: 1 } }]);
    expect(of(lanes[1])).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress' },
      { jsonrpc: '2.0', id: 2, result: { two: 2 } },
    ]);
    expect(client.lanesClosed).toEqual([]);
  });

  it('names the types that the request accepts, and mirrors the body in headers', async () => {
    const server = await scripted((seen, response) => json(response, resultOf(seen)));
    const client = await dialled(server.url, { headers: { 'x-team': 'a', accept: 'text/html' } });
    client.ask(1, 'tools/call', {
      headers: { version: '2026-07-28', method: 'tools/call', name: 'a', 'param.region': 'b' },
    });
    await client.arrived(1);
    expect(server.seen[0]?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a',
      'mcp-param-region': 'b',
      'x-team': 'a',
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it.each([200, 400, 404, 500, 503])('is an error of the protocol with status %i too', async (status) => {
    const { url } = await scripted((seen, response) => {
      const id = seen.message['id'] === 1 ? { id: 1 } : seen.message['id'] === 2 ? { id: null } : {};
      json(response, { jsonrpc: '2.0', ...id, error: { code: -32_020, message: 'no' } }, status);
    });
    const client = await dialled(url);
    for (const id of [1, 2, 3]) client.ask(id);
    await client.arrived(3);
    expect(client.messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(client.lanesClosed).toEqual([]);
  });

  it.each([
    [400, {}, 'REJECTED', 'answered', { status: 400 }],
    [404, {}, 'REJECTED', 'answered', { status: 404 }],
    [405, {}, 'REJECTED', 'answered', { status: 405 }],
    [429, { 'retry-after': '2' }, 'REJECTED', 'answered', { status: 429, retryAfterMs: 2_000 }],
    [401, { 'www-authenticate': 'Bearer' }, 'UNAUTHORIZED', 'answered', { status: 401, challenge: 'Bearer' }],
    [403, {}, 'UNAUTHORIZED', 'answered', { status: 403 }],
    [500, {}, 'CONNECTION_LOST', 'unknown', { status: 500 }],
    [503, { 'retry-after': '1' }, 'CONNECTION_LOST', 'unknown', { status: 503, retryAfterMs: 1_000 }],
  ])('is a typed error with status %i and no message', async (status, headers, code, outcome, details) => {
    const { url } = await scripted((_seen, response) => response.writeHead(status, headers).end('<html>'));
    const client = await dialled(url);
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code, outcome, details });
    expect(error.retryable).toBe(status >= 500 || 'retry-after' in headers);
    await expect(client.tell('count')).rejects.toMatchObject({ code, outcome, details });
    expect(client.closes).toEqual([]);
  });

  it.each([401, 403])(
    'with status %i is an error of the protocol only where it names the request',
    async (status) => {
      const { url } = await scripted((seen, response) => {
        const { id } = seen.message;
        json(
          response,
          { jsonrpc: '2.0', ...(id === 1 ? { id } : {}), error: { code: -1, message: 'no' } },
          status,
        );
      });
      const client = await dialled(url);
      client.ask(1);
      await client.arrived(1);
      expect((await client.failure(client.ask(2))).code).toBe('UNAUTHORIZED');
    },
  );

  it.each([
    [200, 'text/html', 'REJECTED'],
    [202, undefined, 'CONNECTION_LOST'],
    [204, undefined, 'CONNECTION_LOST'],
  ])('rejects a response with status %i and type %s', async (status, type, code) => {
    const { url } = await scripted((_seen, response) =>
      response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(),
    );
    const client = await dialled(url);
    expect((await client.failure(client.ask(1))).code).toBe(code);
  });

  it.each([
    ['another type', { 'content-type': 'text/html' }, '<p>'],
    ['an invalid session id', { 'content-type': 'application/json', 'mcp-session-id': 'a b' }, '{'],
  ])('ends the connection of a response with %s that does not end', async (_, headers, start) => {
    const { url, sockets } = await scripted((seen, response) => {
      if (seen.method !== 'POST') return response.writeHead(405).end();
      response.writeHead(200, headers);
      return response.write(start);
    });
    const client = await dialled(url);
    await client.failure(client.ask(1, 'initialize'));
    await until(() => sockets.size === 0);
  });

  it.each([
    ['{"jsonrpc":"2.0",', 'PARSE_ERROR'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'PARSE_ERROR'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'INVALID_MESSAGE'],
    [`{"jsonrpc":"2.0","id":1,"result":{"pad":"${'x'.repeat(2_000)}"}}`, 'OVERFLOW'],
    ['{"jsonrpc":"2.0","id":2,"result":{}}', 'CONNECTION_LOST'],
    ['', 'PARSE_ERROR'],
  ])('that cannot be read fails the request alone: %s', async (body, code) => {
    const { url } = await scripted((seen, response) => {
      if (seen.message['id'] === 9) return json(response, resultOf(seen));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const client = await dialled(url, { maxResponseBytes: 1_000 });
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code, outcome: 'unknown' });
    client.ask(9);
    await until9(client);
    expect(client.closes).toEqual([]);
  });

  it('drops a byte order mark before a JSON response', async () => {
    const { url } = await scripted((seen, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
        .end(`\ufeff${JSON.stringify(resultOf(seen))}`),
    );
    const client = await dialled(url);
    client.ask(1);
    expect(await client.arrived(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('ends its stream, and later messages are not delivered', async () => {
    let closed = 0;
    const server = await scripted((seen, response) => {
      response.on('close', () => (closed += 1));
      events(response).write(event(resultOf(seen)) + event({ jsonrpc: '2.0', method: 'late' }));
    });
    const client = await dialled(server.url);
    client.ask(1);
    await client.arrived(1);
    await until(() => closed === 1);
    expect(client.messages).toHaveLength(1);
    expect(client.lanesClosed).toEqual([]);
  });

  it('in the modern era is lost with its stream, whatever ids its events had', async () => {
    const server = await scripted((_seen, response) => {
      events(response).end(event({ jsonrpc: '2.0', method: 'notifications/progress' }, 'e-1'));
    });
    const client = await dialled(server.url);
    const error = await client.failure(client.ask(1, 'tools/call', {}, modern));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a lane that is ended', () => {
  it('ends the exchange, and nothing of it is delivered any more', async () => {
    let closed = 0;
    const server = await scripted((seen, response) => {
      if (seen.message['id'] === 9) return json(response, resultOf(seen));
      events(response).write(event({ jsonrpc: '2.0', method: 'one' }));
      response.on('close', () => (closed += 1));
    });
    const client = await dialled(server.url);
    const lane = client.ask(1);
    await client.arrived(1);
    client.connection.endLane(lane);
    client.connection.endLane({});
    await eventually(() => closed).toBe(1);
    client.ask(9);
    await until9(client);
    expect(client.lanesClosed).toEqual([]);
  });

  it('may be ended by the signal of its message', async () => {
    let closed = 0;
    const server = await scripted((_seen, response) => void response.on('close', () => (closed += 1)));
    const client = await dialled(server.url);
    const controller = new AbortController();
    client.ask(1, 'tools/call', { signal: controller.signal });
    await eventually(() => server.seen.length).toBe(1);
    controller.abort();
    await eventually(() => closed).toBe(1);
    expect(client.lanesClosed).toEqual([]);
  });
});

async function until9(client: { readonly messages: readonly object[] }): Promise<void> {
  await eventually(() => client.messages.some((message) => (message as { id?: unknown }).id === 9)).toBe(
    true,
  );
}
