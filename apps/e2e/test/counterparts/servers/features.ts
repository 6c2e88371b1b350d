import { once, RpcError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { readBytes, resources, readText } from 'rxmcp/resources';
import { orThrow, tools } from 'rxmcp/tools';
import { filter, firstValueFrom, lastValueFrom, map, take, takeWhile, timeout, toArray } from 'rxjs';
import { expect } from 'vitest';
import type { Feature } from '../cells.js';
import { asked } from './asked.js';
import { atServer, atSharedServer, type ServerColumn } from './desk.js';
import { say } from './say.js';

const counter = 'fixture://counter';

const plain = {
  'opens in the era that the server has': (column) =>
    atSharedServer(column, async ({ remote }) => {
      expect(remote.version).toBe(column.revision);
      expect(remote.info).toMatchObject({ name: column.serverName, version: '1.0.0' });
      expect(remote.instructions).toBe('For tests.');
    }),

  'lists what there is': (column) =>
    atSharedServer(column, async ({ remote }) => {
      const found = await once(tools(remote).list());
      expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['greet', 'add', 'hang']));
      expect(found.find(({ name }) => name === 'greet')).toMatchObject({
        description: 'Greets',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      const uris = (await once(resources(remote).list())).map(({ uri }) => uri);
      expect(uris).toEqual([counter, 'fixture://dots']);
      const templates = await once(resources(remote).templates());
      expect(templates).toMatchObject([{ uriTemplate: 'fixture://birds/{name}' }]);
      expect(await once(prompts(remote).list())).toMatchObject([
        { name: 'describe', arguments: [{ name: 'bird', required: true }] },
      ]);
    }),

  'calls tools': (column) =>
    atSharedServer(column, async ({ remote }) => {
      expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
      const added = await once(tools(remote).call('add', { a: 2, b: 40 }).pipe(orThrow()));
      expect(added.structuredContent).toEqual({ sum: 42 });
    }),

  'receives errors of wrong calls': (column) =>
    atSharedServer(column, async ({ remote }) => {
      const wrong = await once(tools(remote).call('greet', { name: 7 }));
      expect(wrong.isError).toBe(true);
      const unknown = once(tools(remote).call('no_such_tool').pipe(orThrow()));
      await expect(unknown).rejects.toThrow(/no_such_tool/);
    }),

  'reads resources': (column) =>
    atSharedServer(column, async ({ remote }) => {
      const [text] = await once(resources(remote).read(counter));
      expect(text === undefined ? undefined : readText(text)).toBe('0');
      const [dots] = await once(resources(remote).read('fixture://dots'));
      expect(dots === undefined ? undefined : readBytes(dots)).toEqual(Uint8Array.from([0, 1, 255]));
      expect(await once(resources(remote).read('fixture://birds/heron'))).toMatchObject([
        { text: 'A heron.' },
      ]);
      const missing = once(resources(remote).read('fixture://none'));
      await expect(missing).rejects.toSatisfy((e) => RpcError.is(e) && e.code === -32602);
    }),

  'watches a resource': (column) =>
    atServer(column, async ({ remote }) => {
      const watched = resources(remote).watch(counter);
      expect(watched.isLive).toBe(true);
      const seen: (string | undefined)[] = [];
      const values = watched.pipe(map(([value]) => (value === undefined ? undefined : readText(value))));
      await lastValueFrom(
        values.pipe(
          map((value) => {
            seen.push(value);
            if (value !== '2') say(remote, 'bump').catch(() => undefined);
            return value;
          }),
          takeWhile((value) => value !== '2'),
          timeout(60_000),
        ),
      );
      expect(seen).toEqual(['0', '1', '2']);
    }),

  'leaves what it watched': (column) =>
    atServer(column, async ({ remote, wire }) => {
      const farewell = column.revision >= '2026' ? 'notifications/cancelled' : 'resources/unsubscribe';
      const left = firstValueFrom(
        remote.wire$.pipe(
          filter(({ direction, message }) => direction === 'out' && methodOf(message) === farewell),
          timeout(60_000),
        ),
      );
      await firstValueFrom(resources(remote).watch(counter));
      await left;
      expect(await say(remote, 'subscriptions')).toBe('[]');
      await say(remote, 'bump');
      await say(remote, 'greet', { name: 'Ada' });
      const updates = wire.filter(({ message }) => methodOf(message) === 'notifications/resources/updated');
      expect(updates).toEqual([]);
    }),

  'follows a list': (column) =>
    atServer(column, async ({ remote }) => {
      const lengths = tools(remote).list$.pipe(
        map((list) => list.some(({ name }) => name === 'grown')),
        take(2),
        timeout(60_000),
      );
      const both = lastValueFrom(
        lengths.pipe(
          map((grown) => {
            if (!grown) say(remote, 'grow').catch(() => undefined);
            return grown;
          }),
          toArray(),
        ),
      );
      expect(await both).toEqual([false, true]);
      expect(await say(remote, 'grown')).toBe('I am new.');
    }),

  'gets a prompt': (column) =>
    atSharedServer(column, async ({ remote }) => {
      const { messages } = await once(prompts(remote).get('describe', { bird: 'heron' }));
      expect(messages).toEqual([
        { role: 'user', content: { type: 'text', text: 'Describe the heron.' } },
        { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
      ]);
      const missing = once(prompts(remote).get('describe'));
      await expect(missing).rejects.toSatisfy((e) => RpcError.is(e) && e.code === -32602);
    }),

  'sees progress': (column) =>
    atSharedServer(column, async ({ remote }) => {
      const events = await lastValueFrom(tools(remote).events('climb', { steps: 3 }).pipe(toArray()));
      expect(events).toMatchObject([
        { type: 'progress', progress: 1, total: 3, message: 'step 1' },
        { type: 'progress', progress: 2, total: 3, message: 'step 2' },
        { type: 'progress', progress: 3, total: 3, message: 'step 3' },
        { type: 'result', result: { content: [{ text: 'Climbed 3.' }] } },
      ]);
    }),

  'cancels a call': (column) =>
    atServer(column, async ({ remote, wire }) => {
      const first = await firstValueFrom(tools(remote).events('hang'));
      expect(first).toMatchObject({ type: 'progress', progress: 1 });
      expect(await say(remote, 'was_cancelled')).toBe('It was.');
      const cancels = wire.filter(({ direction, message }) => {
        return direction === 'out' && methodOf(message) === 'notifications/cancelled';
      });
      expect(cancels).toHaveLength(1);
    }),

  'calls a method of its own': (column) =>
    atSharedServer(column, async ({ remote }) => {
      expect(await once(remote.request('fixture/echo', { word: 'heron' }))).toMatchObject({ echo: 'heron' });
      const unknown = once(remote.request('fixture/none'));
      await expect(unknown).rejects.toSatisfy((e) => RpcError.is(e) && e.code === -32601);
    }),
} satisfies Record<string, Feature<ServerColumn>>;

/** Every line of the table. */
export const serverFeatures = { ...plain, ...asked };

function methodOf(message: unknown): string | undefined {
  return (message as { method?: string }).method;
}
