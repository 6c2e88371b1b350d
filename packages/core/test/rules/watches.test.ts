import { describe, expect, it } from 'vitest';
import { authorize } from '../../src/interceptors/index.js';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';

/** Resources that can all be watched, and what is asked of them. */
function watchable() {
  const watched = new Map<string, (uri: string) => void>();
  const asked: string[] = [];
  const offer = defineOffer({
    name: 'watchable',
    side: 'server',
    capabilities: { resources: { subscribe: true } },
    watch(uri, _caller, changed) {
      asked.push(uri);
      watched.set(uri, changed);
      return () => watched.delete(uri);
    },
  });
  return { watched, asked, offer };
}

const uris = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `a:/${from + i}`);
const listen = (id: unknown, resourceSubscriptions: readonly unknown[]): object => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions }, _meta: modernMeta() },
});
const subscribe = (id: string | number, uri: unknown, method = 'resources/subscribe'): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { uri },
});
const overload = { code: -31001, data: { retryable: true } };
const acknowledged = (frame: Frame | undefined): unknown =>
  (frame?.params?.['notifications'] as { resourceSubscriptions?: string[] } | undefined)
    ?.resourceSubscriptions;

describe('RELIABILITY row 49: resources that one connection watches', () => {
  it('a listen with 190,000 uris is refused at once, before any is looked at', async () => {
    const { asked, offer } = watchable();
    const client = rawClient([offer]);
    for (const all of [uris(190_000), new Array<string>(190_000).fill('a:/x')]) {
      client.put(listen('big', all));
      expect(await client.take()).toMatchObject([{ id: 'big', error: overload }]);
    }
    client.put(listen('one too many', uris(1_025)));
    expect(await client.take()).toMatchObject([{ id: 'one too many', error: overload }]);
    expect(asked).toEqual([]);
    client.put(listen('small', uris(1_024)));
    expect(acknowledged((await client.take())[0])).toHaveLength(1_024);
  });

  it('listens and resources/subscribe are counted together, by uri, and ending one frees a slot', async () => {
    const { watched, offer } = watchable();
    const client = rawClient([offer], { limits: { maxResourceSubscriptions: 4 } });
    await client.shake();
    client.put(listen(1, ['a:/0', 'a:/1']));
    await client.ask(subscribe(2, 'a:/2'));
    await client.ask(subscribe(3, 'a:/3'));
    expect((await client.ask(subscribe(4, 'a:/4'))).error).toMatchObject(overload);
    await client.take();
    client.put(listen(5, ['a:/4']));
    expect(await client.take()).toMatchObject([{ id: 5, error: overload }]);
    // What is watched already takes no further slot: a client may open its next subscription before it ends this one.
    client.put(listen(6, uris(4)));
    expect(acknowledged((await client.take())[0])).toEqual(uris(4));
    await client.ask(subscribe(7, 'a:/3', 'resources/unsubscribe'));
    expect((await client.ask(subscribe(8, 'a:/4'))).error).toMatchObject(overload);
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } });
    expect(await client.ask(subscribe(9, 'a:/4'))).toMatchObject({ result: {} });
    expect([...watched.keys()].sort()).toEqual(['a:/0', 'a:/1', 'a:/2', 'a:/4']);
  });

  it('a uri that the offer rejects takes no slot, and is not listened to twice', async () => {
    let refuse = true;
    let listeners = 0;
    const offer = defineOffer({
      name: 'refusing',
      side: 'server',
      capabilities: { resources: { subscribe: true } },
      watch(uri) {
        if (refuse) throw new Error(`not ${uri}`);
        listeners += 1;
        return () => (listeners -= 1);
      },
    });
    const client = rawClient([offer], { limits: { maxResourceSubscriptions: 1 } });
    await client.shake();
    for (const id of [1, 2, 3]) await client.ask(subscribe(id, `a:/${id}`));
    refuse = false;
    expect(await client.ask(subscribe(4, 'a:/4'))).toMatchObject({ result: {} });
    expect(await client.ask(subscribe(5, 'a:/4'))).toMatchObject({ result: {} });
    expect(listeners).toBe(1);
  });

  it('a uri of more than 8,192 characters reaches no offer', async () => {
    const { asked, offer } = watchable();
    const client = rawClient([offer]);
    await client.shake();
    const long = `a:/${'x'.repeat(8_190)}`;
    const { error } = await client.ask(subscribe(1, long));
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('a URI of 8193 characters is too long; at most 8192 are allowed');
    expect(error?.message.length).toBeLessThan(300);
    await client.take();
    client.put(listen(2, [long, 'a:/x']));
    expect(acknowledged((await client.take())[0])).toEqual(['a:/x']);
    expect(asked).toEqual(['a:/x']);
  });
});

describe('an invalid level', () => {
  it.each(['L'.repeat(1_000_000), '\u001b[31m\n', { deep: 'x'.repeat(100_000) }, null, 7])(
    'is rejected in a short and printable message',
    async (level) => {
      const logging = defineOffer({ name: 'l', side: 'server', capabilities: { logging: {} } });
      const client = rawClient([logging]);
      await client.shake();
      const { error } = await client.ask({ id: 1, method: 'logging/setLevel', params: { level } });
      expect(error?.code).toBe(-32602);
      expect(error?.message.length).toBeLessThan(300);
      // eslint-disable-next-line no-control-regex -- that is what it is about
      expect(error?.message).not.toMatch(/[\u0000-\u001f]/);
    },
  );
});

it('without a watchable resource, hidden and unknown uris are answered the same', async () => {
  const offer = defineOffer({
    name: 'still',
    side: 'server',
    capabilities: { resources: { subscribe: true } },
  });
  const interceptors = [authorize({ allow: (_caller, _kind, item) => item !== 'a:/vault' })];
  const client = rawClient([offer], { interceptors });
  await client.shake();
  const error = { code: -32602, message: 'no resource can be watched here' };
  expect(await client.ask(subscribe(1, 'a:/mauve'))).toMatchObject({ error });
  expect(await client.ask(subscribe(2, 'a:/vault'))).toEqual({ jsonrpc: '2.0', id: 2, error });
});
