import { tool, tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import type { Frame } from './stage/frame.js';
import { key, metaOf } from './stage/frame.js';
import type { RawClient } from './stage/raw-client.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn, until } from './stage/turn.js';

const everything = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['test://clock'],
};

function listen(raw: RawClient, id: unknown, notifications: object): void {
  raw.put({ id, method: 'subscriptions/listen', params: { notifications, _meta: metaOf() } });
}

function of(frames: readonly Frame[], id: unknown): (string | undefined)[] {
  const its = frames.filter(({ params }) => (params?.['_meta'] as never)?.[key('subscriptionId')] === id);
  return its.map(({ method }) => method);
}

describe('a subscription', () => {
  clause(
    ['26/subscriptions/2', '26/basic/53'],
    'is acknowledged first, and all of it carries its id as it came',
    async () => {
      const { server, tools: offered, clock } = desk();
      const raw = await rawClient(server);
      for (const id of [0, 'zero']) {
        listen(raw, id, everything);
        await raw.quiet();
        offered.next([...offered.value, tool(`extra-${String(id)}`, {}, () => 'x')]);
        clock.next('12:01');
        await raw.quiet();
        expect(of(raw.frames, id)[0]).toBe('notifications/subscriptions/acknowledged');
        expect(of(raw.frames, id).length).toBeGreaterThan(1);
      }
      const loose = raw.frames.filter(({ method, params }) => {
        return method !== undefined && (params?.['_meta'] as never)?.[key('subscriptionId')] === undefined;
      });
      expect(loose).toEqual([]);
    },
  );

  clause(
    ['26/subscriptions/1', '26/tools/9', '26/prompts/5', '26/resources/5'],
    'sends what the client asked for, and nothing else',
    async () => {
      const { server, tools: offered, prompts, resources, clock } = desk();
      const raw = await rawClient(server);
      listen(raw, 't', { toolsListChanged: true });
      listen(raw, 'p', { promptsListChanged: true });
      listen(raw, 'r', { resourcesListChanged: true });
      listen(raw, 'u', { resourceSubscriptions: ['test://clock'] });
      listen(raw, 'none', {});
      await raw.quiet();
      offered.next(offered.value.slice(1));
      prompts.next(prompts.value.slice(1));
      resources.next(resources.value.slice(0, 3));
      clock.next('12:02');
      await raw.quiet();
      const ack = 'notifications/subscriptions/acknowledged';
      expect(of(raw.frames, 't')).toEqual([ack, 'notifications/tools/list_changed']);
      expect(of(raw.frames, 'p')).toEqual([ack, 'notifications/prompts/list_changed']);
      expect(of(raw.frames, 'r')).toEqual([ack, 'notifications/resources/list_changed']);
      expect(of(raw.frames, 'u')).toEqual([ack, 'notifications/resources/updated']);
      expect(of(raw.frames, 'none')).toEqual([ack]);
    },
  );

  clause(
    ['26/subscriptions/5', '26/cancellation/2'],
    'that a server ends on a shared pipe gets its result, and then a cancellation',
    async () => {
      const raw = await rawClient(desk().server);
      listen(raw, 'l', everything);
      await raw.quiet();
      await raw.drain();
      const end = raw.frames.slice(-2);
      const _meta = { [key('subscriptionId')]: 'l' };
      expect(end[0]).toMatchObject({ id: 'l', result: { resultType: 'complete', _meta } });
      expect(end[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 'l' } });
    },
  );

  clause(['26/cancellation/3'], 'is all that a server ever cancels', async () => {
    const { server, slow } = desk();
    const raw = await rawClient(server);
    raw.put({ id: 'long', method: 'tools/call', params: { name: 'slow', _meta: metaOf() } });
    await raw.modern('tools/call', { name: 'greet', arguments: {} }, { elicitation: {} });
    listen(raw, 'l', everything);
    await raw.quiet();
    const drained = raw.drain();
    await raw.quiet();
    expect(slow()).toBe(1);
    expect(raw.notices('notifications/cancelled').map(({ params }) => params?.['requestId'])).toEqual(['l']);
    raw.put({ method: 'notifications/cancelled', params: { requestId: 'long' } });
    await drained;
  });

  clause(['26/logging/4'], 'carries no logs', async () => {
    const raw = await rawClient(desk().server);
    listen(raw, 'l', everything);
    await raw.modern('tools/call', { name: 'chatty' }, {}, { [key('logLevel')]: 'debug' });
    await raw.quiet();
    expect(of(raw.frames, 'l')).toEqual(['notifications/subscriptions/acknowledged']);
    expect(raw.notices('notifications/message')).toHaveLength(2);
  });
});

describe('a client that follows', () => {
  clause(
    ['26/subscriptions/4'],
    'receives what carries the id of its subscription, and nothing else',
    async () => {
      let reads = 0;
      const server = rawServer((frame) => {
        if (frame.method !== 'tools/list') return undefined;
        reads += 1;
        return { result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' } };
      });
      const { remote } = await clientOf(server);
      const following = tools(remote).list$.subscribe({ error: () => undefined });
      await turn();
      const asked = server.asked().find(({ method }) => method === 'subscriptions/listen');
      const tagged = (id: unknown): object => ({ _meta: { [key('subscriptionId')]: id } });
      const notifications = { toolsListChanged: true };
      server.put({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications, ...tagged(asked?.id) },
      });
      await turn(40);
      const before = reads;
      server.put({ method: 'notifications/tools/list_changed', params: tagged('another') });
      server.put({ method: 'notifications/tools/list_changed', params: {} });
      await turn(40);
      expect(reads).toBe(before);
      server.put({ method: 'notifications/tools/list_changed', params: tagged(asked?.id) });
      await until(() => reads > before);
      expect(reads).toBe(before + 1);
      following.unsubscribe();
    },
  );
});
