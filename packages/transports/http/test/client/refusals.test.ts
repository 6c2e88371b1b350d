import { describe, expect, it } from 'vitest';
import { dialled, opened, until } from './recording.js';
import { event, events, json, resultOf, scripted, type Seen } from './scripted.js';

const batch = (seen: Seen): unknown[] => [{ jsonrpc: '2.0', method: 'one' }, resultOf(seen)];

it.each([
  [500, 'text/plain'],
  [200, 'text/event-stream'],
])('the body of a response with %i and %s to a notification is cancelled', async (status, type) => {
  let closed = false;
  const { url } = await scripted((_seen, response) => {
    response.on('close', () => (closed = true));
    response.writeHead(status, { 'content-type': type }).write('begun');
  });
  const client = await dialled(url);
  const sent = client.connection.send({ jsonrpc: '2.0', method: 'notifications/x' });
  const outcome = sent.then(
    () => 'accepted',
    () => 'rejected',
  );
  expect(await outcome).toBe(status === 200 ? 'accepted' : 'rejected');
  await until(() => closed);
  expect(client.closes).toEqual([]);
});

describe('a response within a batch', () => {
  it.each(['JSON', 'a stream'])('as %s ends the call at once in a revision without batches', async (form) => {
    let closed = false;
    const { url } = await scripted((seen, response) => {
      response.on('close', () => (closed = true));
      if (form === 'JSON') json(response, batch(seen));
      else events(response).write(event(batch(seen)));
    });
    const client = await dialled(url);
    const error = await client.failure(client.ask(1, 'tools/list', { version: '2025-11-25' }));
    expect(error).toMatchObject({ code: 'INVALID_MESSAGE', outcome: 'unknown' });
    expect(client.messages).toEqual([]);
    await until(() => closed);
    expect(client.closes).toEqual([]);
  });

  it('is delivered with the batch in the revision that has them', async () => {
    const { url } = await scripted((seen, response) => json(response, batch(seen)));
    const client = await dialled(url);
    client.ask(1, 'tools/list', { version: '2025-03-26' });
    expect(await client.arrived(1)).toMatchObject([[{ method: 'one' }, { id: 1 }]]);
    expect(client.lanesClosed).toEqual([]);
  });

  it('is known by the revision of the session where the call names none', async () => {
    const { url } = await scripted((seen, response) => {
      if (seen.method === 'GET') response.writeHead(405).end();
      else if (seen.message['method'] === 'initialize') json(response, resultOf(seen));
      else if (seen.message['id'] === undefined) response.writeHead(202).end();
      else json(response, batch(seen));
    });
    const client = await opened(url);
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code: 'INVALID_MESSAGE' });
  });
});

it.each([
  [403, 'UNAUTHORIZED', 'forbids the request (403): list it in "allowedHosts"'],
  [401, 'UNAUTHORIZED', 'requires authentication (401): list it in "allowedHosts"'],
])(
  'the reason in a response with %i that responds to no request is in the error',
  async (status, code, end) => {
    const failure = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'list it in "allowedHosts"' },
    };
    const { url } = await scripted((_seen, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(failure));
    });
    const client = await dialled(url);
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code, details: { status } });
    expect(error.message.endsWith(end)).toBe(true);
  },
);

describe('a refusal whose body does not end', () => {
  it.each([
    [400, {}, 'REJECTED', { status: 400 }],
    [401, { 'www-authenticate': 'Bearer' }, 'UNAUTHORIZED', { status: 401, challenge: 'Bearer' }],
    [500, {}, 'CONNECTION_LOST', { status: 500 }],
  ])('is reported nevertheless: %i', async (status, headers, code, details) => {
    let closed = 0;
    const { url } = await scripted((_seen, response) => {
      response.on('close', () => (closed += 1));
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).write('{"jsonrpc":');
    });
    const client = await dialled(url, {}, { remainderTimeoutMs: 50 });
    expect(await client.failure(client.ask(1))).toMatchObject({ code, details });
    await until(() => closed === 1);
  });

  it('is read to 64 KiB', async () => {
    let closed = false;
    const { url } = await scripted((_seen, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(400, { 'content-type': 'application/json' }).write(' '.repeat(70_000));
    });
    const client = await dialled(url);
    expect(await client.failure(client.ask(1))).toMatchObject({ code: 'REJECTED', details: { status: 400 } });
    await until(() => closed);
  });
});
