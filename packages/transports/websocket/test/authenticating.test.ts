import { once } from 'node:events';
import type { Socket } from 'node:net';
import { forwardedAddress } from '@rxmcp/transport/guard';
import { expect, test, vi } from 'vitest';
import { ask, upgrade } from './raw.js';
import { breathe, stand, turnsUntil, virtualTime } from './stand.js';

/** A masked close frame with the status 1000. */
const closeFrame = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);

test.each([
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['ends', (socket: Socket) => socket.end()],
])('a client that %s its connection during authentication makes room for another', async (_, leave) => {
  // The guard ends no authentication by its limit of time.
  virtualTime();
  const authenticate = vi.fn(() => new Promise<never>(() => undefined));
  const { url } = await stand({ authenticate, maxConnections: 1 });
  const socket = ask(url);
  await turnsUntil(() => authenticate.mock.calls.length === 1);
  expect((await upgrade(url)).status).toBe(503);
  leave(socket);
  for (let tries = 0; tries < 500 && authenticate.mock.calls.length < 2; tries += 1) {
    ask(url);
    await breathe();
  }
  expect(authenticate).toHaveBeenCalledTimes(2);
});

test('half of the connections at most are being authenticated for one address', async () => {
  const answers: (() => void)[] = [];
  const authenticate = (): Promise<{ principal: string }> =>
    new Promise((resolve) => void answers.push(() => resolve({ principal: 'ada' })));
  const { url, accepted } = await stand({
    authenticate,
    clientAddress: forwardedAddress(),
    maxConnections: 4,
  });
  const from = { 'x-forwarded-for': '192.0.2.1' };
  const pending = [upgrade(url, from), upgrade(url, from)];
  await vi.waitUntil(() => answers.length === 2);
  const refused = await upgrade(url, from);
  expect(refused.status).toBe(503);
  expect(refused.head.toLowerCase()).toContain('retry-after: 5');
  const other = upgrade(url, { 'x-forwarded-for': '192.0.2.2' });
  await vi.waitUntil(() => answers.length === 4);
  answers[3]?.();
  expect((await other).status).toBe(101);
  for (const answer of answers) answer();
  // One principal has half of the connections, too.
  expect((await Promise.all(pending)).map(({ status }) => status).toSorted()).toEqual([101, 503]);
  expect(accepted.map(({ connection }) => connection.traits.principal)).toEqual(['ada', 'ada']);
});

test('nothing that a client sends during authentication is kept', async () => {
  const answers: (() => void)[] = [];
  const authenticate = (): Promise<{ principal: string }> =>
    new Promise((resolve) => void answers.push(() => resolve({ principal: 'ada' })));
  const { url } = await stand({ authenticate });
  const patient = upgrade(url);
  const early = ask(url);
  await vi.waitUntil(() => answers.length === 2);
  const closed = once(early, 'close');
  early.write('x');
  await closed;
  answers[0]?.();
  const { status, socket, closeCode } = await patient;
  expect(status).toBe(101);
  socket.write(closeFrame);
  expect(await closeCode()).toBe(1000);
});

test('a client that sends more together with its handshake is rejected with 400', async () => {
  const { url } = await stand({ authenticate: () => Promise.resolve({ principal: 'ada' }) });
  // In one piece.
  const socket = ask(url, { 'sec-websocket-protocol': 'mcp\r\n\r\nx' });
  const [response] = (await once(socket, 'data')) as [Buffer];
  expect(String(response)).toMatch(/^HTTP\/1\.1 400 [^]*wait for the response/);
});
