import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseResponse, headerIn } from '../src/client/http-response.js';
import { HttpPool } from '../src/client/http-pool.js';

describe('a response of HTTP', () => {
  const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbüx');
  const chunked = Buffer.from(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n',
  );

  it.each([
    ['with a length', whole, 'büx'],
    ['in chunks', chunked, 'abcd'],
  ])('is read %s, whole only', (_, bytes, body) => {
    expect(parseResponse(bytes)).toMatchObject({ status: 200, body, size: bytes.length });
    for (let end = 0; end < bytes.length; end += 1)
      expect(parseResponse(bytes.subarray(0, end))).toBeUndefined();
  });

  it('has headers whatever their case', () => {
    const { head = '' } = parseResponse(whole) ?? {};
    expect(headerIn(head, 'content-length')).toBe('4');
    expect(headerIn(head, 'mcp-session-id')).toBeUndefined();
  });

  it('is refused without a length', () => {
    expect(() => parseResponse(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without a length');
  });
});

it('connections take turns, so that a server closes none that seems unused', async () => {
  const asked = new Map<Socket, number>();
  const server = createServer(({ socket }, response) => {
    asked.set(socket, (asked.get(socket) ?? 0) + 1);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const pool = await HttpPool.open((server.address() as AddressInfo).port, 3);
  onTestFinished(() => pool.close());
  const head = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';
  for (let i = 0; i < 6; i += 1) await new Promise((resolve) => pool.send(head, resolve));
  expect([...asked.values()]).toEqual([2, 2, 2]);
});
