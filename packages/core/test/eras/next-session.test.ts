import { expect, it } from 'vitest';
import { defineOffer } from '../../src/internal.js';
import { offerMethod } from '../../src/index.js';
import type { ConnectionInfo } from '../../src/index.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';

const echo = offerMethod('x/echo', {}, (_params, ctx) => ({ version: ctx.version, caller: ctx.caller }));

/** A method that never ends, and resources that can be watched; what ended is recorded. */
function held() {
  const ended: string[] = [];
  const watched = new Map<string, (uri: string) => void>();
  const hold = offerMethod('x/hold', {}, (_params, { signal }) => {
    signal.addEventListener('abort', () => void ended.push((signal.reason as Error).message));
    return new Promise<never>(() => undefined);
  });
  const offer = defineOffer({
    name: 'changing',
    side: 'server',
    capabilities: { resources: { subscribe: true } },
    watch(uri, _caller, changed) {
      watched.set(uri, changed);
      return () => void (watched.delete(uri) && ended.push(uri));
    },
  });
  return { ended, watched, offers: [echo, hold, offer] };
}

it('row 42: a second initialize starts a session of the next client', async () => {
  const client = rawClient([echo]);
  await client.shake('2025-03-26', { roots: {} });
  expect(await client.shake('2025-11-25')).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  const { result } = await client.ask({ id: 1, method: 'x/echo' });
  expect(result).toMatchObject({ version: '2025-11-25', caller: { capabilities: {} } });
});

it('row 42: it ends the calls and subscriptions of the first one, and sends nothing for them', async () => {
  const { ended, watched, offers } = held();
  const client = rawClient(offers, { limits: { maxConcurrentRequests: 1 } });
  const infos: (readonly ConnectionInfo[])[] = [];
  client.server.connections$.subscribe((all) => void infos.push(all));
  await client.shake();
  await client.ask({ id: 1, method: 'resources/subscribe', params: { uri: 'a:/x' } });
  client.put({ jsonrpc: '2.0', id: 'hello', method: 'x/hold' });
  client.put({ jsonrpc: '2.0', id: 'waits', method: 'x/hold' });
  await client.take();
  // The id of the handshake is in flight: it was the first client's.
  expect(await client.shake()).toHaveProperty('result');
  expect(ended).toEqual(['another "initialize" on this pipe started a new session', 'a:/x']);
  expect(watched.size).toBe(0);
  expect(client.sent.filter(({ id }) => id === 'waits')).toEqual([]);
  expect(await client.ask({ id: 'waits', method: 'x/echo' })).toHaveProperty('result');
  expect(infos.at(-1)).toMatchObject([{ subscriptions: 0 }]);
  expect(client.faults).toEqual([]);
});

it('row 42: the subscriptions of the modern era end too, and their ids are free', async () => {
  const { ended, watched, offers } = held();
  const client = rawClient(offers);
  const params = { notifications: { resourceSubscriptions: ['a:/x'] }, _meta: modernMeta() };
  client.put({ jsonrpc: '2.0', id: 'hello', method: 'subscriptions/listen', params });
  await client.take();
  expect(watched.size).toBe(1);
  const first = client.sent.length;
  expect(await client.shake()).toHaveProperty('result');
  expect(ended).toEqual(['a:/x']);
  expect(client.sent.slice(first)).toMatchObject([{ id: 'hello', result: { serverInfo: {} } }]);
});

it('row 42: an invalid second initialize changes nothing', async () => {
  const { ended, offers } = held();
  const client = rawClient(offers);
  await client.shake('2025-06-18');
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/hold' });
  const { error } = await client.ask({ id: 2, method: 'initialize', params: { protocolVersion: 1 } });
  expect(error?.code).toBe(-32602);
  expect(ended).toEqual([]);
  expect((await client.ask({ id: 3, method: 'x/echo' })).result?.['version']).toBe('2025-06-18');
});
