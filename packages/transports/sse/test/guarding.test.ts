import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearer } from '@rxmcp/transport/guard';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveSse, sseHandlers } from '../src/node.js';
import { ask, openRaw, postTo, raw, stand, turnsUntil } from './stand.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('row 27: a foreign Origin', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.com',
    'http://127.0.0.1.evil.com:80',
    'HTTP://LOCALHOST',
    'file://',
  ])('%s is 403 on both routes, and nothing runs', async (origin) => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    for (const reply of [await ask(url, { headers: { origin } }), await postTo(endpoint, ping, { origin })]) {
      expect(reply.status).toBe(403);
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      expect(JSON.parse(reply.body)).not.toHaveProperty('id');
    }
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.record.messages).toEqual([]);
  });

  test('a loopback Origin passes, one of another port where only one is named does not', async () => {
    const { url } = await stand({ allowedOrigins: ['http://localhost:5173'] });
    const { endpoint } = await openRaw(url, { headers: { origin: 'http://localhost:5173' } });
    expect((await postTo(endpoint, ping, { origin: 'http://localhost:5174' })).status).toBe(403);
    expect((await postTo(endpoint, ping, { origin: 'http://localhost:5173' })).status).toBe(202);
  });
});

describe('row 28: a foreign Host', () => {
  test.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.com', 403],
    ['localhost.', 403],
    ['0.0.0.0', 403],
    ['[::]', 403],
    ['', 400],
    ['localhost:1', 200],
    ['[::1]:8080', 200],
  ])('"%s" is answered with %d', async (host, status) => {
    const { url, sessions } = await stand();
    const { endpoint } = await openRaw(url);
    if (status === 200) {
      expect((await postTo(endpoint, ping, { host })).status).toBe(202);
      expect((await openRaw(url, { headers: { host } })).status).toBe(200);
      return;
    }
    expect((await ask(url, { headers: { host } })).status).toBe(status);
    expect((await postTo(endpoint, ping, { host })).status).toBe(status);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.record.messages).toEqual([]);
  });

  test('two of them give 400', async () => {
    const { origin } = await stand();
    const { host } = new URL(origin);
    const bytes = `GET /sse HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\n\r\n`;
    expect(await raw(origin, bytes, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('row 23: headers that Node drops are checked, and one that it would drop or join is 400', async () => {
  const { url, sessions } = await stand();
  const a = Array<string>(200).fill('');
  expect((await ask(url, { headers: { a, origin: 'https://evil.example' } })).status).toBe(403);
  const more = [...a, ...a];
  expect(
    (await ask(url, { headers: { host: 'localhost', a: more, origin: 'https://evil.example' } })).status,
  ).toBe(431);
  const { endpoint } = await openRaw(url, { headers: { a } });
  expect((await postTo(endpoint, ping, { authorization: ['Bearer a', 'Bearer b'] })).status).toBe(400);
  expect(sessions[0]?.record.messages).toEqual([]);
});

test('row 23: on a server with a limit of headers a request that reaches it is 431', async () => {
  const handlers = sseHandlers(connectionHandler(() => recording()));
  const server = createServer((request, response) => void handlers.handle(request, response));
  server.maxHeadersCount = 20;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handlers.close();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/sse`;
  const a = Array<string>(20).fill('');
  expect((await ask(url, { headers: { host: 'localhost', a, origin: 'https://evil.example' } })).status).toBe(
    431,
  );
});

test('row 29: an address that other machines reach needs authentication or the explicit option', async () => {
  const acceptor = connectionHandler(() => recording());
  for (const host of ['192.168.1.5', '0.0.0.0', '::', '']) {
    await expect(serveSse(acceptor, { host })).rejects.toThrow(/other machines.*"dangerouslyOpen"/);
  }
});

describe('row 30: pages of other origins', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  test('a preflight of an unknown origin is answered with nothing that allows it', async () => {
    for (const options of [{}, { allowedOrigins: ['https://app.example'] }]) {
      const { url, origin } = await stand(options);
      for (const target of [url, `${origin}/messages`]) {
        const headers = { ...preflight, origin: 'https://evil.example' };
        const reply = await ask(target, { method: 'OPTIONS', headers });
        expect(reply.status).toBe(204);
        expect(JSON.stringify(reply.headers)).not.toMatch(/access-control-allow|\*/);
      }
    }
  });

  test('a known origin may read everything, refusals too', async () => {
    const origins = ['https://app.example'];
    const { url, sessions } = await stand({
      allowedOrigins: origins,
    });
    const headers = { origin: 'https://app.example' };
    const stream = await openRaw(url, { headers });
    const allowed = { 'access-control-allow-origin': 'https://app.example' };
    expect(stream.headers).toMatchObject(allowed);
    const replies = [
      await ask(stream.endpoint, { method: 'OPTIONS', headers: { ...headers, ...preflight } }),
      await postTo(stream.endpoint, ping, headers),
      await postTo(stream.endpoint, '{', headers),
      await ask(url, { method: 'PUT', headers }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([204, 202, 400, 405]);
    for (const reply of replies) expect(reply.headers).toMatchObject(allowed);
    expect(sessions[0]?.record.messages).toHaveLength(1);
  });
});

describe('the caller', () => {
  const tokens = { authenticate: bearer({ ada: 'a-token', bob: 'b-token' }) };
  const as = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

  test('is asked on both routes, and is the principal of the session', async () => {
    const { url, sessions } = await stand(tokens);
    const refused = await ask(url);
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect((await ask(url, { headers: as('wrong') })).status).toBe(401);
    const { endpoint } = await openRaw(url, { headers: as('a-token') });
    expect(sessions[0]?.connection.traits.principal).toBe('ada');
    expect((await postTo(endpoint, ping)).status).toBe(401);
    expect((await postTo(endpoint, ping, as('a-token'))).status).toBe(202);
  });

  test('row 37: the session of another principal is answered like one that does not exist', async () => {
    const { url, origin, sessions } = await stand(tokens);
    const { endpoint } = await openRaw(url, { headers: as('a-token') });
    const foreign = await postTo(endpoint, ping, as('b-token'));
    const unknown = await postTo(`${origin}/messages?sessionId=${'0'.repeat(32)}`, ping, as('b-token'));
    expect(foreign.status).toBe(404);
    const { date: _, ...headers } = foreign.headers;
    const { date: __, ...others } = unknown.headers;
    expect([foreign.body, headers]).toEqual([unknown.body, others]);
    // Its owner's server gets a report of it, and nothing of the token; it continues.
    const [session] = sessions;
    expect(session?.record).toMatchObject({
      messages: [],
      closeErrors: [],
      faults: [{ code: 'INVALID_MESSAGE' }],
    });
    expect(String(session?.record.faults[0]?.message)).toBe('another caller used the id of this session');
    expect((await postTo(endpoint, ping, as('a-token'))).status).toBe(202);
  });

  test('one that takes its time, and a client that leaves meanwhile', async () => {
    let admit = (): void => undefined;
    const { url, sessions } = await stand({
      authenticate: () => new Promise((resolve) => (admit = () => resolve({ principal: 'ada' }))),
    });
    const leaving = ask(url).catch((error: unknown) => error);
    await turnsUntil(() => admit.toString().includes('principal'));
    const waits = admit;
    const stream = openRaw(url);
    await turnsUntil(() => admit !== waits);
    admit();
    expect((await stream).status).toBe(200);
    expect(sessions).toHaveLength(1);
    void leaving;
    waits();
  });

  test('one that throws refuses', async () => {
    const { url } = await stand({
      authenticate: () => {
        throw new Error('secret');
      },
    });
    const reply = await ask(url);
    expect(reply.status).toBe(500);
    expect(reply.body).not.toContain('secret');
  });
});

test('invalid options are rejected at once', () => {
  const acceptor = connectionHandler(() => recording());
  expect(() => sseHandlers(acceptor, { allowedOrigins: ['app.example'] })).toThrow(TypeError);
  expect(() => sseHandlers(acceptor, { allowedHosts: ['http://x'] })).toThrow(TypeError);
});

test.each(['content-length: 1000000', 'transfer-encoding: chunked'])(
  'a request for the stream with a body opens no session, and ends its connection: %s',
  async (header) => {
    const { url, sessions } = await stand();
    const text = await raw(url, `GET /sse HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*a GET request must not have a body/i);
    expect(sessions).toEqual([]);
  },
);
