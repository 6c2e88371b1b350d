import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { frame } from './frames.js';
import { upgrade } from './raw.js';
import { stand, turnsUntil } from './stand.js';

/** Writes the beginning of a handshake, and gives all that comes back until the other side closes. */
function said(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(text));
    socket.write(
      `GET /mcp HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\n${head}`,
    );
  });
}

describe('a handshake', () => {
  test('row 22: that comes slowly is cut with 408, and others are served meanwhile', async () => {
    const { url, accepted, connection } = await stand({ headersTimeoutMs: 150, requestTimeoutMs: 300 });
    const slow = Array.from({ length: 50 }, () => said(url, 'sec-websocket-'));
    const { socket } = await upgrade(url);
    socket.write(frame('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
    for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
    // The bounds are those of the handshake: a connected client stays.
    expect([accepted.length, record.closeErrors]).toEqual([1, []]);
  });

  test.each([
    ['too many headers', 'a: b\r\n'.repeat(10_000) + '\r\n', 431],
    ['a header of 64 KiB', `a: ${'b'.repeat(65_536)}\r\n\r\n`, 431],
    ['two lengths', 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ])('row 23: with %s is refused, and no server is asked', async (_what, head, status) => {
    const { url, accepted } = await stand();
    expect(await said(url, head)).toContain(`HTTP/1.1 ${String(status)} `);
    expect(accepted).toEqual([]);
  });
});
