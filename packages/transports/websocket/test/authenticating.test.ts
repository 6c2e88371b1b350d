import type { Socket } from 'node:net';
import { forwardedAddress } from '@rxmcp/transport/guard';
import { expect, test, vi } from 'vitest';
import { ask, upgrade } from './raw.js';
import { breathe, stand, turnsUntil, virtualTime } from './stand.js';

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
