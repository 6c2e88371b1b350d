import { describe, expect, it } from 'vitest';
import { dialled, eventually, opened, until } from './recording.js';
import { event, events, json, resultOf, type Seen, scripted } from './scripted.js';
import { sessionServer } from './session-server.js';

describe('a session', () => {
  it('is named in every request after its opening, with its revision, and ended with DELETE', async () => {
    const server = await sessionServer((seen, response) =>
      seen.method === 'GET' ? response.writeHead(405).end() : json(response, resultOf(seen)),
    );
    const client = await opened(server.url);
    client.ask(1);
    await client.arrived(1);
    await until(() => server.seen.some(({ method }) => method === 'GET'));
    await client.connection.close();
    const facts = server.seen.map(({ method, headers }) => [
      method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
    ]);
    expect(facts[0]).toEqual(['POST', undefined, undefined]);
    expect(facts[1]).toEqual(['POST', 's-1', '2025-11-25']);
    for (const fact of [['GET'], ['POST'], ['DELETE']].map(([m]) => [m, 's-1', '2025-11-25']))
      expect(facts).toContainEqual(fact);
    expect(facts.at(-1)?.[0]).toBe('DELETE');
    expect(client.closes).toEqual([undefined]);
    expect(client.faults).toEqual([]);
  });

  it('is not named where the server names none, and then needs no goodbye', async () => {
    const server = await scripted((seen, response) =>
      seen.method === 'GET'
        ? response.writeHead(405).end()
        : 'id' in seen.message
          ? json(response, resultOf(seen))
          : response.writeHead(202).end(),
    );
    const client = await opened(server.url);
    await until(() => server.seen.length === 3);
    await client.connection.close();
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    expect(server.seen.every(({ headers }) => headers['mcp-session-id'] === undefined)).toBe(true);
  });

  it.each([['with spaces'], ['é'], ['x'.repeat(1_025)]])(
    'with an impossible name is not opened: %s',
    async (name) => {
      const { url } = await scripted((seen, response) =>
        json(response, resultOf(seen), 200, { 'mcp-session-id': Buffer.from(name).toString('latin1') }),
      );
      const client = await dialled(url);
      expect((await client.failure(client.ask(0, 'initialize'))).code).toBe('CONNECTION_LOST');
    },
  );

  it('is not overtaken: nothing is sent before the server has received that it is open', async () => {
    const order: string[] = [];
    const server = await scripted((seen, response) => {
      const { method } = seen.message;
      if (method === 'initialize') return json(response, resultOf(seen), 200, { 'mcp-session-id': 's-1' });
      if (seen.method === 'GET') return response.writeHead(405).end();
      order.push(String(method));
      if (method !== 'notifications/initialized') return json(response, resultOf(seen));
      setTimeout(() => {
        order.push('accepted');
        response.writeHead(202).end();
      }, 30);
    });
    const client = await dialled(server.url);
    client.ask(0, 'initialize');
    await client.arrived(1);
    void client.tell('notifications/initialized', { completesHandshake: true, version: '2025-06-18' });
    client.ask(1, 'tools/list');
    await client.arrived(2);
    expect(order).toEqual(['notifications/initialized', 'accepted', 'tools/list']);
  });

  it('keeps the order of messages without a lane', async () => {
    const order: unknown[] = [];
    const server = await scripted((seen, response) => {
      order.push(seen.message['method']);
      setTimeout(() => response.writeHead(202).end(), Math.random() * 10);
    });
    const client = await dialled(server.url);
    const methods = Array.from({ length: 10 }, (_, index) => `count/${String(index)}`);
    await Promise.all(methods.map((method) => client.tell(method)));
    expect(order).toEqual(methods);
  });

  it.each(['request', 'notification', 'standing stream'])(
    'fault 16: that the server forgot ends with SESSION_EXPIRED: %s',
    async (by) => {
      const server = await sessionServer((seen, response) => {
        if (seen.method === 'GET')
          return events(response).write(event({ jsonrpc: '2.0', method: 'hello' }, 'e-1'));
        return json(response, resultOf(seen));
      });
      const client = await opened(server.url, {}, { closeTimeoutMs: 50 });
      await client.arrived(1);
      server.forget();
      if (by === 'request') client.ask(1);
      else if (by === 'standing stream') for (const socket of server.sockets) socket.destroy();
      else await expect(client.tell('count')).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
      await until(() => client.closes.length > 0);
      expect(client.closes[0]).toMatchObject({ code: 'SESSION_EXPIRED', retryable: true });
      await expect(client.tell('late')).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
      await client.connection.close();
      expect(client.closes).toHaveLength(1);
      expect(client.late).toEqual([]);
      expect(server.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
    },
  );

  it('that the server ends lets responses arrive which are on their way when the standing stream finds the end', async () => {
    let response: ReturnType<typeof events> | undefined;
    const server = await sessionServer((seen, given) => {
      if (seen.method === 'GET') return events(given);
      response = events(given);
    });
    const gets = (): Seen[] =>
      server.seen.filter(({ headers, method }) => method === 'GET' && 'mcp-session-id' in headers);
    const client = await opened(server.url, {}, { closeTimeoutMs: 1_000 });
    client.ask(1);
    await until(() => response !== undefined && gets().length === 1);
    server.forget();
    gets()[0]?.raw.socket.destroy();
    await until(() => gets().length === 2);
    // The client has its 404 when a later request has one.
    await fetch(server.url).then((later) => later.text());
    response?.end(event({ jsonrpc: '2.0', id: 1, result: {} }));
    expect(await client.arrived(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    await until(() => client.closes.length === 1);
    expect(client.closes[0]?.code).toBe('SESSION_EXPIRED');
    expect([gets().length, client.faults]).toEqual([2, []]);
  });

  it('fault 21: a forgotten session fails calls in flight at once, and sends nothing more', async () => {
    const held: Seen[] = [];
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      held.push(seen);
    });
    const client = await opened(server.url);
    client.ask(1);
    client.ask(2);
    await until(() => held.length === 2);
    server.forget();
    client.ask(3);
    await until(() => client.closes.length === 1);
    expect(client.closes[0]?.code).toBe('SESSION_EXPIRED');
    await eventually(() => held.every(({ raw }) => raw.socket.destroyed)).toBe(true);
    expect(client.late).toEqual([]);
  });

  it('answers on the lane of the question with a message of its own', async () => {
    const server = await sessionServer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      if (seen.message['method'] === undefined) {
        response.writeHead(202).end();
        return asked?.end(event({ jsonrpc: '2.0', id: 1, result: { heard: seen.message['result'] } }));
      }
      asked = events(response);
      asked.write(event({ jsonrpc: '2.0', id: 'q', method: 'roots/list' }));
    });
    let asked: ReturnType<typeof events> | undefined;
    const client = await opened(server.url);
    const lane = client.ask(1, 'tools/call');
    await client.arrived(1);
    expect(client.deliveries[0]?.lane).toBe(lane);
    await client.connection.send({ jsonrpc: '2.0', id: 'q', result: { roots: [] } }, { lane });
    await client.arrived(2);
    expect(client.deliveries[1]).toEqual({
      incoming: { jsonrpc: '2.0', id: 1, result: { heard: { roots: [] } } },
      lane,
    });
  });

  it('that cannot be ended with DELETE is closed in time', async () => {
    const server = await scripted((seen, response) => {
      if (seen.message['method'] === 'initialize')
        json(response, resultOf(seen), 200, { 'mcp-session-id': 's-1' });
    });
    const client = await dialled(server.url, {}, { closeTimeoutMs: 100 });
    client.ask(0, 'initialize');
    await client.arrived(1);
    await client.connection.close();
    expect(server.seen.at(-1)?.method).toBe('DELETE');
  });
});

describe('closing', () => {
  it('waits until earlier messages have arrived', async () => {
    const server = await scripted((_seen, response) => setTimeout(() => response.writeHead(202).end(), 20));
    const client = await dialled(server.url);
    const sent = [client.tell('one'), client.tell('two')];
    await client.connection.close();
    await Promise.all(sent);
    expect(server.seen.map(({ message }) => message['method'])).toEqual(['one', 'two']);
  });

  it('aborts what the server does not take', async () => {
    const server = await scripted(() => undefined);
    const client = await dialled(server.url, {}, { closeTimeoutMs: 100 });
    const sent = client.tell('one');
    await until(() => server.seen.length === 1);
    await client.connection.close();
    await expect(sent).rejects.toMatchObject({ code: 'CLOSED', outcome: 'unknown' });
  });

  it('is reported to a receiver that comes later, and a connection is started once', async () => {
    const server = await scripted(() => undefined);
    const client = await dialled(server.url);
    expect(() => client.connection.start(client)).toThrow(TypeError);
    await client.connection.close();
    expect(client.closes).toEqual([undefined]);
  });
});
